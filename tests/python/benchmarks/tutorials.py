"""The algorithms of the tutorials on this subject, in plain Python: the rivals of the benchmarks."""

MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def count_open(size: int, row: int, col: int) -> tuple[int, int]:
    """Count the open tours from a square by trying the moves in a fixed order: (tours, nodes)."""
    visited = [[False] * size for _ in range(size)]
    nodes = 0

    def extend(row: int, col: int, step: int) -> int:
        nonlocal nodes
        nodes += 1
        if step == size * size:
            return 1
        visited[row][col] = True
        tours = 0
        for down, right in MOVES:
            r, c = row + down, col + right
            if 0 <= r < size and 0 <= c < size and not visited[r][c]:
                tours += extend(r, c, step + 1)
        visited[row][col] = False
        return tours

    return extend(row, col, 1), nodes


def warnsdorff(size: int, row: int, col: int) -> list[tuple[int, int]]:
    """Follow Warnsdorff's rule, ties by the distance from the centre."""
    visited = [[False] * size for _ in range(size)]
    centre = (size - 1) / 2

    def onward(row: int, col: int) -> list[tuple[int, int]]:
        return [
            (row + down, col + right)
            for down, right in MOVES
            if 0 <= row + down < size and 0 <= col + right < size and not visited[row + down][col + right]
        ]

    path = [(row, col)]
    visited[row][col] = True
    while len(path) < size * size:
        moves = onward(*path[-1])
        if not moves:
            break
        moves.sort(key=lambda to: (len(onward(*to)), -((to[0] - centre) ** 2) - (to[1] - centre) ** 2))
        row, col = moves[0]
        visited[row][col] = True
        path.append((row, col))
    return path
