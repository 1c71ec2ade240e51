//! Whether two moves cross.

/// Along the sweep, and across it.
pub(super) type Point = (i64, i64);
pub(super) type Line = [Point; 2];

/// Whether the boxes around two lines touch.
fn near(a: Line, b: Line) -> bool {
    let overlap = |a: [i64; 2], b: [i64; 2]| a[0].min(a[1]) <= b[0].max(b[1]) && b[0].min(b[1]) <= a[0].max(a[1]);
    overlap(a.map(|s| s.0), b.map(|s| s.0)) && overlap(a.map(|s| s.1), b.map(|s| s.1))
}

/// Whether two lines share a point that is not a common end.
pub(super) fn cross(a: Line, b: Line) -> bool {
    let [p, q, r, s] = [a[0], a[1], b[0], b[1]];
    let turn = |o: Point, a: Point, b: Point| ((a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0)).signum();
    if !near(a, b) {
        return false;
    }
    let shared = [p, q].into_iter().find(|&end| end == r || end == s);
    if let Some(end) = shared {
        // They overlap if they lie on one line, on the same side of their common end.
        let (other, there) = (if p == end { q } else { p }, if r == end { s } else { r });
        let forward = (other.0 - end.0) * (there.0 - end.0) + (other.1 - end.1) * (there.1 - end.1) > 0;
        return turn(end, other, there) == 0 && forward;
    }
    let (d1, d2, d3, d4) = (turn(p, q, r), turn(p, q, s), turn(r, s, p), turn(r, s, q));
    if d1 != d2 && d3 != d4 && d1 * d2 <= 0 && d3 * d4 <= 0 {
        return true;
    }
    // On one line, and the boxes touch.
    d1 == 0 && d2 == 0 && d3 == 0 && d4 == 0
}
