//! Checkpoints and spilled states under fault: killed, cut off, damaged, foreign, without room.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use knightstour::engines::frontier::{
    CheckpointedSweep, Files, Modulus, Natural, Starts, Sweep, SweepOptions, SweepStats,
};
use knightstour::run::Halt;
use knightstour::run::rng::Rng;
use knightstour::store::{Kind, Reader, Seal, StoreError, Unfinished, Writer};
use knightstour::{Board, Budget, Cancel, Graph, Leaper, Limit, Limits, Pause, Request, Wrap};

use crate::place::Place;

fn sweep(request: &Request, threads: usize) -> Sweep {
    Sweep::new(request, &Graph::new(request), threads).unwrap()
}

fn kept(request: &Request, checkpoint: &Path) -> Result<CheckpointedSweep, StoreError> {
    let files = Files { checkpoint: Some(checkpoint.into()), interval: Duration::ZERO, ..Files::default() };
    CheckpointedSweep::new(sweep(request, 2), files)
}

fn nodes(nodes: u64) -> Budget {
    Budget::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

fn memory(bytes: u64) -> Budget {
    Budget::new(Limits { memory: Some(bytes), ..Limits::default() })
}

fn without_peak(stats: SweepStats) -> SweepStats {
    SweepStats { peak_bytes: 0, ..stats }
}

/// The count and what was done for it, without files.
fn plain(request: &Request) -> (String, SweepStats) {
    let mut sweep = sweep(request, 2);
    (sweep.advance(&Budget::unlimited()).unwrap().to_string(), sweep.stats())
}

fn boards() -> Vec<Request> {
    let board = |rows, cols| Board::new(rows, cols).unwrap();
    let holed = Board::build(5, 7, [16, 17], Leaper::KNIGHT, Wrap::None).unwrap();
    let torus = Board::build(4, 4, [], Leaper::KNIGHT, Wrap::Both).unwrap();
    vec![
        Request::closed(board(6, 6)),
        Request::closed(board(5, 8)).with_included(0, 10).unwrap(),
        Request::open(board(5, 5)),
        Request::open(board(4, 7)).with_start(1).unwrap(),
        Request::open(holed),
        Request::closed(torus),
    ]
}

/// A checkpoint of a count that was stopped after some nodes.
fn stopped(request: &Request, path: &Path, after: u64) -> Vec<u8> {
    assert_eq!(kept(request, path).unwrap().advance(&nodes(after)), Err(Halt::Pause(Pause::Limit(Limit::Nodes))));
    fs::read(path).unwrap()
}

#[test]
fn a_count_begun_anew_at_every_step_is_the_same() {
    let place = Place::new("steps");
    let mut all_restarts = 0;
    for request in boards() {
        let (expected, stats) = plain(&request);
        assert_ne!(expected, "0");
        // Some stop in the midst of a step, some between two.
        for slice in [400u64, 1500, 20_000] {
            let mut restarts = 0;
            let mut slice = slice;
            let (total, done) = loop {
                let mut kept = kept(&request, &place.file()).unwrap();
                match kept.advance(&nodes(slice)) {
                    Ok(total) => break (total, kept.sweep().stats()),
                    Err(halt) => assert_eq!(halt, Halt::Pause(Pause::Limit(Limit::Nodes))),
                }
                // A task that is dearer than the slice is never begun.
                if kept.saves() == 0 {
                    slice *= 2;
                }
                restarts += 1;
            };
            assert_eq!(total.to_string(), expected, "{request:?}");
            assert_eq!(without_peak(done), without_peak(stats), "{request:?}");
            all_restarts += restarts;
            assert_eq!(place.names(), [""; 0], "a finished count leaves nothing");
        }
    }
    assert!(all_restarts > 60, "{all_restarts}");
}

#[test]
fn a_checkpoint_is_saved_between_all_steps_when_none_may_be_lost() {
    let place = Place::new("saves");
    let request = Request::closed(Board::new(6, 6).unwrap());
    let mut kept = kept(&request, &place.file()).unwrap();
    assert_eq!(kept.advance(&Budget::unlimited()).unwrap().to_string(), "9862");
    assert!(kept.saves() >= kept.sweep().stats().steps, "{}", kept.saves());
    // And not at all within the interval.
    let files = Files { checkpoint: Some(place.file()), ..Files::default() };
    let mut kept = CheckpointedSweep::new(sweep(&request, 1), files).unwrap();
    assert_eq!(kept.advance(&Budget::unlimited()).unwrap().to_string(), "9862");
    assert_eq!(kept.saves(), 0);
    assert_eq!(kept.advance(&nodes(0)).unwrap().to_string(), "9862");
    // Nor where it is cancelled.
    let cancel = Cancel::default();
    cancel.cancel();
    let files = Files { checkpoint: Some(place.file()), interval: Duration::ZERO, ..Files::default() };
    let mut kept = CheckpointedSweep::new(sweep(&request, 1), files).unwrap();
    let cancelled = kept.advance(&Budget::unlimited().with_cancel(Some(cancel)));
    assert_eq!(cancelled, Err(Halt::Pause(Pause::Limit(Limit::Cancelled))));
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn whatever_is_cut_off_or_changed_is_refused() {
    let place = Place::new("damage");
    let request = Request::open(Board::new(5, 5).unwrap());
    for after in [300, 9000] {
        let whole = stopped(&request, &place.file(), after);
        assert!(whole.len() > 1000);
        let refused = |bytes: &[u8], what: &str| {
            fs::write(place.file(), bytes).unwrap();
            let error = kept(&request, &place.file()).map(|_| ()).expect_err(what);
            assert!(error.to_string().contains("kept.file"), "{error}");
            // It is left as it was.
            assert_eq!(fs::read(place.file()).unwrap(), bytes);
            error
        };
        for length in (0..200).chain((200..whole.len()).step_by(97)).chain([whole.len() - 1]) {
            let error = refused(&whole[..length], "cut off");
            assert!(matches!(error, StoreError::Length { .. }), "{length}: {error}");
        }
        let mut longer = whole.clone();
        longer.push(0);
        assert!(matches!(refused(&longer, "longer"), StoreError::Length { .. }));
        let mut rng = Rng::seeded(5);
        let offsets = (0..96).chain((0..600).map(|_| rng.below(whole.len() as u64) as usize));
        for (i, at) in offsets.enumerate() {
            let mut changed = whole.clone();
            changed[at] ^= 1 << (i % 8);
            let error = refused(&changed, "changed");
            let is_fitting = match at {
                0..8 => matches!(error, StoreError::Foreign { .. }),
                8..12 | 16..20 => matches!(error, StoreError::Version { .. }),
                12..16 => matches!(error, StoreError::Kind { .. }),
                24..56 => matches!(error, StoreError::Request { .. }),
                56..64 => matches!(error, StoreError::Length { .. }),
                _ => matches!(error, StoreError::Damaged { .. }),
            };
            assert!(is_fitting, "{at}: {error}");
        }
        // Two blocks changed places.
        let mut swapped = whole.clone();
        let half = whole.len() / 2;
        swapped[96..half].rotate_left(16);
        assert!(matches!(refused(&swapped, "swapped"), StoreError::Damaged { .. }));
        fs::write(place.file(), &whole).unwrap();
        let mut kept = kept(&request, &place.file()).unwrap();
        assert_eq!(kept.advance(&Budget::unlimited()).unwrap().to_string(), "1728");
    }
    for text in [&b"a text that somebody wrote\n"[..], &[0; 4096], b"K"] {
        fs::write(place.file(), text).unwrap();
        let error = kept(&request, &place.file()).map(|_| ()).unwrap_err();
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    }
    // What an interrupted save has left is no checkpoint.
    fs::remove_file(place.file()).unwrap();
    fs::write(place.file().with_file_name("kept.file.partial"), [0; 200]).unwrap();
    assert_eq!(kept(&request, &place.file()).unwrap().advance(&Budget::unlimited()).unwrap().to_string(), "1728");
    assert_eq!(place.names(), [""; 0]);
}

const SEAL: Seal = Seal { kind: Kind::Checkpoint, engine: 3, fingerprint: [7; 32] };

/// The bytes of a file by its number.
fn numbered(number: usize) -> Vec<u8> {
    vec![number as u8; 100_000 + 40_000 * (number % 16)]
}

#[test]
fn several_that_write_one_file_at_once_never_mix_it() {
    let place = Place::new("writers");
    let write = |number: usize| -> Writer {
        let mut writer = Writer::create(&place.file(), SEAL, &Unfinished::default()).unwrap();
        writer.bytes(&numbered(number)).unwrap();
        writer
    };
    let read = || {
        let mut reader = Reader::open(&place.file(), SEAL).unwrap().expect("there is a file");
        let mut bytes = vec![0; reader.left() as usize];
        reader.bytes(&mut bytes).unwrap();
        assert_eq!(bytes, numbered(bytes[0].into()));
        bytes[0]
    };
    let (first, second, third) = (write(1), write(2), write(3));
    assert_eq!(place.names().len(), 3);
    second.finish().unwrap();
    assert_eq!(read(), 2);
    first.finish().unwrap();
    assert_eq!(read(), 1);
    drop(third);
    assert_eq!((read(), place.names()), (1, vec!["kept.file".to_owned()]));
    std::thread::scope(|scope| {
        for writer in 0..4 {
            scope.spawn(move || (0..40).for_each(|i| write(writer * 40 + i).finish().unwrap()));
        }
        for _ in 0..100 {
            read();
        }
    });
    read();
    assert_eq!(place.names(), ["kept.file"]);
}

#[test]
fn what_a_run_was_writing_goes_when_it_is_given_up() {
    let place = Place::new("given up");
    Writer::create(&place.file(), SEAL, &Unfinished::default()).unwrap().finish().unwrap();
    let run = Unfinished::default();
    let mut writer = Writer::create(&place.file(), SEAL, &run).unwrap();
    writer.bytes(b"half").unwrap();
    assert_eq!(place.names(), ["kept.file", "kept.file.partial"]);
    run.give_up();
    assert_eq!(place.names(), ["kept.file"]);
    // Another run may take the name: the first one leaves that alone, and can finish nothing.
    let other = Writer::create(&place.file(), SEAL, &Unfinished::default()).unwrap();
    assert!(matches!(writer.finish(), Err(StoreError::Io { .. })));
    assert!(matches!(Writer::create(&place.file(), SEAL, &run), Err(StoreError::Io { .. })));
    assert_eq!(place.names(), ["kept.file", "kept.file.partial"]);
    drop(other);
    assert_eq!(place.names(), ["kept.file"]);
    assert_eq!(Reader::open(&place.file(), SEAL).unwrap().unwrap().left(), 0);
}

#[test]
fn what_killed_writers_have_left_goes_and_nothing_else_does() {
    let place = Place::new("left");
    let beside = |name: &str| place.0.join(name);
    for left in [vec![], vec![0; 96], vec![0; 5000], [&b"\x89KTOUR\r\n"[..], &[1; 300]].concat()] {
        fs::write(beside("kept.file.partial"), &left).unwrap();
        fs::write(beside("kept.file.2.partial"), &left).unwrap();
        Writer::create(&place.file(), SEAL, &Unfinished::default()).unwrap().finish().unwrap();
        // The first is as good as new; the second is not in the way.
        assert_eq!(place.names(), ["kept.file", "kept.file.2.partial"]);
        knightstour::store::remove(&place.file());
        assert_eq!(place.names(), [""; 0]);
    }
    // Neither what is no file of this program goes, nor what is written just now.
    fs::write(beside("kept.file.partial"), "a text that somebody wrote").unwrap();
    fs::create_dir(beside("kept.file.2.partial")).unwrap();
    let mut writer = Writer::create(&place.file(), SEAL, &Unfinished::default()).unwrap();
    knightstour::store::remove(&place.file());
    let others = ["kept.file.2.partial", "kept.file.3.partial", "kept.file.partial"];
    assert_eq!(place.names(), others);
    writer.bytes(b"whole").unwrap();
    writer.finish().unwrap();
    assert_eq!(Reader::open(&place.file(), SEAL).unwrap().unwrap().left(), 5);
    assert_eq!(fs::read(beside("kept.file.partial")).unwrap(), b"a text that somebody wrote");
    assert_eq!(place.names(), ["kept.file", others[0], others[2]]);
}

#[test]
fn another_request_and_another_version_are_refused() {
    let place = Place::new("foreign");
    let board = || Board::new(5, 5).unwrap();
    let request = Request::open(board());
    stopped(&request, &place.file(), 5000);
    for other in [
        Request::closed(Board::new(5, 6).unwrap()),
        Request::open(board()).with_start(0).unwrap(),
        Request::open(board()).with_end(0).unwrap(),
        Request::open(board()).with_excluded(0, 7).unwrap(),
        Request::open(Board::new(5, 6).unwrap()),
    ] {
        let error = kept(&other, &place.file()).map(|_| ()).unwrap_err();
        assert!(matches!(error, StoreError::Request { .. }), "{error}");
    }
    let seal = |engine| Seal::new(Kind::Checkpoint, engine, &request.encode());
    for (engine, payload) in [(0, 0u64), (77, 0), (u32::MAX, 0)] {
        let mut writer = Writer::create(&place.file(), seal(engine), &Unfinished::default()).unwrap();
        writer.number(payload).unwrap();
        writer.finish().unwrap();
        let error = kept(&request, &place.file()).map(|_| ()).unwrap_err();
        assert!(matches!(error, StoreError::Version { what: "engine", found, .. } if found == engine), "{error}");
    }
}

#[test]
fn a_file_that_is_whole_and_says_nonsense_is_refused() {
    let place = Place::new("nonsense");
    let request = Request::open(Board::new(5, 5).unwrap());
    let (expected, _) = plain(&request);
    let mut rng = Rng::seeded(9);
    let mut refused = 0;
    for after in [300, 9000] {
        let whole = stopped(&request, &place.file(), after);
        let engine = u32::from_le_bytes(whole[16..20].try_into().unwrap());
        for round in 0..300 {
            let mut payload = whole[96..].to_vec();
            let most = if round % 2 == 0 { 400 } else { payload.len() as u64 };
            let at = rng.below(most) as usize & !7;
            match round % 3 {
                0 => payload.truncate(at),
                1 => payload[at..][..8].copy_from_slice(&[0xff; 8]),
                _ => payload[at] = payload[at].wrapping_add(1 + rng.below(9) as u8),
            }
            let mut writer = Writer::create(
                &place.file(),
                Seal::new(Kind::Checkpoint, engine, &request.encode()),
                &Unfinished::default(),
            )
            .unwrap();
            writer.bytes(&payload).unwrap();
            writer.finish().unwrap();
            // A number of a state may be changed so that nothing shows; what must not be is a panic or an endless run.
            match kept(&request, &place.file()).unwrap().advance(&nodes(1 << 22)) {
                Err(why @ (Halt::Unsuited(_) | Halt::Misuse(_))) => panic!("{why}"),
                Err(Halt::Store(_)) => refused += 1,
                Err(Halt::Pause(_)) | Ok(_) => {}
            }
            let _ = fs::remove_file(place.file());
        }
    }
    assert!(refused > 250, "{refused}");
    assert_eq!(kept(&request, &place.file()).unwrap().advance(&Budget::unlimited()).unwrap().to_string(), expected);
}

#[test]
fn a_file_is_whole_or_not_there() {
    let place = Place::new("writer");
    let seal = Seal::new(Kind::Checkpoint, 3, b"request");
    assert!(Reader::open(&place.file(), seal).unwrap().is_none());
    for length in [0, 1, 95, 96, 1 << 18, (1 << 18) + 1, 3_000_000] {
        let bytes: Vec<u8> = (0..length).map(|i| (i * 7 % 251) as u8).collect();
        let mut writer = Writer::create(&place.file(), seal, &Unfinished::default()).unwrap();
        writer.bytes(&bytes).unwrap();
        writer.finish().unwrap();
        // One that is given up changes nothing.
        let mut writer = Writer::create(&place.file(), seal, &Unfinished::default()).unwrap();
        writer.bytes(b"else").unwrap();
        drop(writer);
        assert_eq!(place.names(), ["kept.file"]);
        let mut reader = Reader::open(&place.file(), seal).unwrap().unwrap();
        let mut read = vec![0; length];
        reader.bytes(&mut read).unwrap();
        assert_eq!(read, bytes);
        assert!(matches!(reader.number(), Err(StoreError::Damaged { .. })));
    }
    assert!(matches!(Reader::open(&place.0, seal), Err(StoreError::Foreign { .. })));
    assert!(matches!(Writer::create(Path::new("/"), seal, &Unfinished::default()), Err(StoreError::Io { .. })));
}

/// The count that the child makes: a second or so.
fn of_the_child() -> Request {
    Request::open(Board::new(6, 6).unwrap())
}

const CHILD: &str = "KNIGHTSTOUR_TEST_CHILD";

#[test]
#[ignore = "part of another test, which runs it as a process of its own and kills it"]
fn child() {
    let Some(place) = std::env::var_os(CHILD) else { return };
    let place = Path::new(&place);
    let files = Files {
        checkpoint: Some(place.join("kept.file")),
        spill_dir: Some(place.into()),
        interval: Duration::from_millis(1),
        ..Files::default()
    };
    let mut kept = CheckpointedSweep::new(sweep(&of_the_child(), 2), files).unwrap();
    // Less than it needs.
    let total = kept.advance(&memory(3_800_000)).unwrap();
    fs::write(place.join("answer"), total.to_string()).unwrap();
}

#[test]
fn killed_at_any_moment_it_goes_on_and_gives_the_same() {
    let mut rng = Rng::seeded(1);
    let (mut kills, mut found) = (0, 0);
    for round in 0..4 {
        let place = Place::new(&format!("kill-{round}"));
        let answer = place.0.join("answer");
        for _ in 0..60 {
            found += u32::from(place.file().exists());
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["store::child", "--exact", "--ignored"])
                .env(CHILD, &place.0)
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(20 + rng.below(150)));
            if child.try_wait().unwrap().is_some_and(|status| !status.success()) {
                panic!("the child fails of itself");
            }
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(place.names().len() <= 3, "killed runs leave more and more: {:?}", place.names());
            if answer.exists() {
                break;
            }
            kills += 1;
        }
        if !answer.exists() {
            let files = Files { checkpoint: Some(place.file()), ..Files::default() };
            let total = CheckpointedSweep::new(sweep(&of_the_child(), 2), files)
                .unwrap()
                .advance(&Budget::unlimited())
                .unwrap();
            fs::write(&answer, total.to_string()).unwrap();
        }
        assert_eq!(fs::read_to_string(&answer).unwrap(), "6637920");
    }
    assert!(kills > 3 && found > 3, "{kills} {found}");
}

/// Bytes that hardly depend on the request.
const FIXED: u64 = 800_000;

#[test]
fn less_memory_is_enough_with_a_directory() {
    let place = Place::new("spill");
    let holed = Board::build(6, 7, [10], Leaper::KNIGHT, Wrap::None).unwrap();
    for request in [
        Request::open(Board::new(6, 6).unwrap()),
        Request::closed(Board::new(6, 8).unwrap()),
        Request::open(holed).with_start(0).unwrap(),
    ] {
        let (expected, stats) = plain(&request);
        // Of so small a count a good part are what each thread works with and the list of the tables.
        let limit = (stats.peak_bytes - FIXED) / 2 + FIXED;
        let mut without = sweep(&request, 2);
        assert_eq!(without.advance(&memory(limit)), Err(Pause::Limit(Limit::Memory)));
        let files = Files { spill_dir: Some(place.0.clone()), ..Files::default() };
        let mut kept = CheckpointedSweep::new(sweep(&request, 2), files.clone()).unwrap();
        let total = kept.advance(&memory(limit)).unwrap_or_else(|halt| {
            panic!("{halt} {limit} {} {:?} {request:?}", kept.sweep().bytes_needed(), kept.sweep().stats())
        });
        assert_eq!(total.to_string(), expected);
        assert_eq!(without_peak(kept.sweep().stats()), without_peak(stats));
        assert!(kept.sweep().stats().peak_bytes <= limit);
        drop(kept);
        // And with restarts, from the same limit and from none.
        for budgets in [[Some(limit), Some(limit)], [Some(limit), None], [None, Some(limit)]] {
            let [first, then] = budgets;
            let files = Files { checkpoint: Some(place.file()), interval: Duration::ZERO, ..files.clone() };
            let budget = |memory, nodes| Budget::new(Limits { memory, nodes, ..Limits::default() });
            let mut kept = CheckpointedSweep::new(sweep(&request, 2), files.clone()).unwrap();
            let half = stats.groups / 2 + stats.groups;
            assert_eq!(kept.advance(&budget(first, Some(half))), Err(Halt::Pause(Pause::Limit(Limit::Nodes))));
            drop(kept);
            let mut kept = CheckpointedSweep::new(sweep(&request, 1), files).unwrap();
            assert_eq!(kept.advance(&budget(then, None)).unwrap().to_string(), expected);
            assert_eq!(without_peak(kept.sweep().stats()), without_peak(stats));
        }
        assert_eq!(place.names(), [""; 0]);
    }
}

/// Residues are counted from disk, after restarts and on other numbers of threads as exact sums are.
#[test]
fn residues_survive_restarts_and_small_memory() {
    let place = Place::new("residues");
    for (request, number) in
        [(Request::closed(Board::new(6, 8).unwrap()), 65521), (Request::open(Board::new(6, 6).unwrap()), 4294967291)]
    {
        let (expected, stats) = plain(&request);
        let expected = expected.parse::<u64>().unwrap() % number;
        let graph = Graph::new(&request);
        let residues = |threads: usize, number: u64| {
            let options = SweepOptions { modulus: Modulus::new(number), ..SweepOptions::on(threads) };
            Sweep::begin(&request, &graph, options, &Budget::unlimited()).unwrap()
        };
        let limit = (stats.peak_bytes - FIXED) / 2 + FIXED;
        for spill_dir in [None, Some(place.0.clone())] {
            let files =
                Files { checkpoint: Some(place.file()), spill_dir, interval: Duration::ZERO, ..Files::default() };
            let budget = |nodes| {
                let memory = files.spill_dir.is_some().then_some(limit);
                Budget::new(Limits { memory, nodes, ..Limits::default() })
            };
            let mut kept = CheckpointedSweep::new(residues(2, number), files.clone()).unwrap();
            let half = stats.groups + stats.groups / 2;
            assert_eq!(kept.advance(&budget(Some(half))), Err(Halt::Pause(Pause::Limit(Limit::Nodes))));
            drop(kept);
            // Neither the exact count nor that modulo another number goes on from there.
            for other in [sweep(&request, 1), residues(1, 65519)] {
                let error = CheckpointedSweep::new(other, files.clone()).map(|_| ()).unwrap_err();
                assert!(matches!(error, StoreError::Request { .. }), "{error:?}");
            }
            let mut kept = CheckpointedSweep::new(residues(1, number), files.clone()).unwrap();
            assert_eq!(kept.advance(&budget(None)).unwrap().to_string(), expected.to_string());
        }
        assert_eq!(place.names(), [""; 0]);
    }
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let place = Place::new("refused");
    fs::write(place.0.join("file"), b"").unwrap();
    let request = Request::open(Board::new(5, 5).unwrap());
    let mut refusing = vec![place.0.join("nowhere"), place.0.join("file")];
    if cfg!(target_os = "linux") {
        // Nobody can make files there, not even root.
        refusing.push("/proc".into());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let read_only = place.0.join("read-only");
        fs::create_dir(&read_only).unwrap();
        fs::set_permissions(&read_only, fs::Permissions::from_mode(0o555)).unwrap();
        // Root may all the same.
        if fs::write(read_only.join("try"), b"").is_err() {
            refusing.push(read_only);
        }
    }
    for directory in refusing {
        let spill = Files { spill_dir: Some(directory.clone()), ..Files::default() };
        let checkpoint = Files { checkpoint: Some(directory.join("count")), ..Files::default() };
        for files in [spill, checkpoint] {
            let error = CheckpointedSweep::new(sweep(&request, 1), files).map(|_| ()).unwrap_err();
            assert!(matches!(error, StoreError::Io { .. }), "{error}");
            assert!(error.to_string().contains(directory.to_str().unwrap()), "{error}");
        }
    }
    // A directory that goes while the count runs.
    let gone = place.0.join("gone");
    fs::create_dir(&gone).unwrap();
    let files = Files { checkpoint: Some(gone.join("count")), interval: Duration::ZERO, ..Files::default() };
    let mut kept = CheckpointedSweep::new(sweep(&request, 1), files).unwrap();
    fs::remove_dir_all(&gone).unwrap();
    assert!(matches!(kept.advance(&Budget::unlimited()), Err(Halt::Store(StoreError::Io { .. }))));
    // Once it is back, the count goes on.
    fs::create_dir(&gone).unwrap();
    assert_eq!(kept.advance(&Budget::unlimited()).unwrap().to_string(), "1728");
}

#[test]
fn a_table_of_starts_goes_on_where_it_was_stopped() {
    let place = Place::new("starts");
    let request = Request::open(Board::new(4, 7).unwrap());
    let starts = |files: &Files| Starts::new(&request, 2, &Budget::unlimited()).unwrap().with_files(files.clone());
    let table = starts(&Files::default()).unwrap().advance(&Budget::unlimited()).unwrap();
    let sum = table.iter().fold(Natural::default(), |mut sum, (_, count)| {
        sum.add(count);
        sum
    });
    assert_eq!(sum.to_string(), plain(&request).0);
    let files = Files {
        checkpoint: Some(place.file()),
        spill_dir: Some(place.0.clone()),
        interval: Duration::from_secs(100),
        ..Files::default()
    };
    let mut restarts = 0;
    let again = loop {
        let mut starts = starts(&files).unwrap();
        match starts.advance(&nodes(6000)) {
            Ok(table) => break table,
            Err(halt) => assert_eq!(halt, Halt::Pause(Pause::Limit(Limit::Nodes))),
        }
        // Both in the midst of a square and between two.
        restarts += 1;
        assert!(restarts < 500, "each run begins where the last one did");
    };
    assert!(restarts > 2, "{restarts}");
    assert_eq!(again, table);
    assert_eq!(place.names(), [""; 0]);
    // The checkpoint of a count is none of a table, nor is that of another request.
    stopped(&request, &place.file(), 400);
    assert!(matches!(starts(&files).unwrap_err(), StoreError::Kind { .. }));
    fs::remove_file(place.file()).unwrap();
    assert!(starts(&files).unwrap().advance(&nodes(20_000)).is_err());
    let whole = fs::read(place.file()).unwrap();
    let other = Starts::new(&Request::open(Board::new(4, 6).unwrap()), 1, &Budget::unlimited())
        .unwrap()
        .with_files(files.clone());
    assert!(matches!(other.unwrap_err(), StoreError::Request { .. }));
    for length in [0, 50, 96, whole.len() - 1] {
        fs::write(place.file(), &whole[..length]).unwrap();
        assert!(starts(&files).is_err(), "{length}");
    }
    fs::write(place.file(), whole).unwrap();
    assert_eq!(starts(&files).unwrap().advance(&Budget::unlimited()).unwrap(), table);
}
