//! How long a contact's change takes to the screens: from the moment at which a simulated board changes a contact to the
//! moment at which a spectator has read the line on his socket, with hundreds of spectators, and with a card that is
//! slow to flush.
//!
//! ```text
//! cargo build --release && cargo run --release --example load -- --spectators 500 --flush-ms 200
//! ```
//!
//! Starts the daemon with a game at 27 times its speed, which is about 20 changes a second. Whatever waits for the
//! card is the journal's business: the changes must not. Prints one line of a table in Markdown (`docs/performance.md`).

use std::fs;
use std::io::{BufRead as _, BufReader as LineReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, anyhow};
use clap::Parser;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// About 20 changes a second, bounce taken out.
const SPEED: u32 = 27;

/// Measures how long a contact's change takes to the screens.
#[derive(Debug, Parser)]
struct Arguments {
    /// How many spectators read.
    #[arg(long, default_value_t = 500)]
    spectators: usize,
    /// How many more open a stream and never read.
    #[arg(long, default_value_t = 20)]
    stalled: usize,
    /// How much longer each flush of the card takes.
    #[arg(long, default_value_t = 0)]
    flush_ms: u32,
    /// For how many seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The program.
    #[arg(long, default_value = "target/release/draughtsd")]
    daemon: PathBuf,
}

struct Daemon {
    child: Child,
    public: String,
    private: String,
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let folder = std::env::temp_dir().join(format!("draughtsd-load-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let daemon = start(&arguments, &folder)?;
    let stalled = stall(&daemon.public, arguments.stalled).await?;
    let mut spectators = JoinSet::new();
    let until = tokio::time::Instant::now() + Duration::from_secs(arguments.seconds);
    for _ in 0..arguments.spectators {
        let public = daemon.public.clone();
        spectators.spawn(async move { watch(&public, until).await });
    }
    let mut late: Vec<u64> = Vec::new();
    let mut fewest = usize::MAX;
    while let Some(watched) = spectators.join_next().await {
        let watched = watched??;
        fewest = fewest.min(watched.len());
        late.extend(watched);
    }
    let metrics = get(&daemon.private, "/metrics").await?;
    drop(stalled);
    report(&arguments, late, fewest, &metrics)?;
    drop(daemon);
    fs::remove_dir_all(&folder)?;
    Ok(())
}

fn start(arguments: &Arguments, folder: &Path) -> Result<Daemon> {
    let config = format!(
        "[board]\nsource = \"simulated\"\n[public]\nlisten = \"127.0.0.1:0\"\n[private]\nlisten = \"127.0.0.1:0\"\n\
         [simulated]\nspeed = {SPEED}\n"
    );
    fs::write(folder.join("board.toml"), config)?;
    let shim = folder.join("shim.so");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&shim)
        .arg("tests/power/shim.c")
        .status()
        .context("cc")?;
    if !built.success() {
        return Err(anyhow!("the shim for the slow card could not be built"));
    }
    let mut child = Command::new(fs::canonicalize(&arguments.daemon).context("build the program first")?)
        .args(["run", "--config", "board.toml"])
        .current_dir(folder)
        .env("LD_PRELOAD", &shim)
        .env("SHIM_FLUSH_MS", arguments.flush_ms.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut lines = LineReader::new(child.stdout.take().context("standard output")?).lines();
    let mut address = || -> Result<String> {
        let line = lines.next().context("the daemon did not start")??;
        Ok(line.trim_start_matches("http://").trim_end_matches('/').to_owned())
    };
    let (public, private) = (address()?, address()?);
    Ok(Daemon { child, public, private })
}

const ASK: &str = "GET /api/v1/events HTTP/1.1\r\nhost: localhost\r\n\r\n";

/// Opens streams that nobody reads.
async fn stall(address: &str, count: usize) -> Result<Vec<TcpStream>> {
    let mut streams = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(ASK.as_bytes()).await?;
        streams.push(stream);
    }
    Ok(streams)
}

/// Reads a stream, and notes for each change of a contact how long ago it was, in milliseconds.
async fn watch(address: &str, until: tokio::time::Instant) -> Result<Vec<u64>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(ASK.as_bytes()).await?;
    let mut lines = BufReader::new(stream).lines();
    let mut late = Vec::new();
    while let Ok(line) = tokio::time::timeout_at(until, lines.next_line()).await {
        let line = line?.context("the stream ended")?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
        let Some(data) = line.strip_prefix("data: ").filter(|data| data.contains("\"kind\":\"contact\""))
        else {
            continue;
        };
        let event: Value = serde_json::from_str(data)?;
        let at = unix_ms(event["at"].as_str().context("at")?).context("at is no time")?;
        late.push(u64::try_from(now)?.saturating_sub(at));
    }
    Ok(late)
}

/// Milliseconds within the day are enough: nobody waits for a day.
fn unix_ms(text: &str) -> Option<u64> {
    let now = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()?;
    let day = now - now % 86_400_000;
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<u64>().ok();
    let (hour, minute, second, ms) = (number(11..13)?, number(14..16)?, number(17..19)?, number(20..23)?);
    Some(day + ((hour * 60 + minute) * 60 + second) * 1000 + ms)
}

async fn get(address: &str, path: &str) -> Result<String> {
    use tokio::io::AsyncReadExt as _;
    let mut stream = TcpStream::connect(address).await?;
    let ask = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(ask.as_bytes()).await?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await?;
    Ok(reply)
}

fn report(arguments: &Arguments, mut late: Vec<u64>, fewest: usize, metrics: &str) -> Result<()> {
    late.sort_unstable();
    let at = |part: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a rank among some hundred thousand"
        )]
        let rank = (late.len() as f64 * part) as usize;
        late.get(rank.min(late.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    let metric = |name: &str| {
        metrics
            .lines()
            .find_map(|line| line.strip_prefix(&format!("draughtsd_{name}{{board=\"1\"}} ")))
            .unwrap_or("?")
            .to_owned()
    };
    let seconds = arguments.seconds.max(1);
    writeln!(
        std::io::stdout(),
        "| {} | {} | {} | {}.{} | {} | {} | {} | {} | {} |",
        arguments.flush_ms,
        arguments.spectators,
        late.len(),
        fewest as u64 / seconds,
        fewest as u64 * 10 / seconds % 10,
        at(0.5),
        at(0.99),
        at(0.999),
        late.last().copied().unwrap_or_default(),
        metric("journal_commits_total"),
    )?;
    Ok(())
}
