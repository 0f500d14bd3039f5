//! Files to be read from front to back: plain or gzip, `-` for standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

/// How much is asked of the file at a time.
const BUFFER: usize = 64 * 1024;

/// So long a file may be that people write by hand: a configuration, a pin map. Those that ship have 8 KB.
const LONGEST_BY_HAND: u64 = 256 * 1024;

/// Reads a file that people write by hand, whole.
///
/// # Errors
/// What the system says, or that it is longer than any such file.
pub fn read_by_hand(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST_BY_HAND + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_BY_HAND {
        let reason = format!("longer than {LONGEST_BY_HAND} bytes; is it the right file?");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// An opened file, decompressed on the way.
pub struct InputFile {
    content: Box<dyn BufRead>,
    read: Arc<AtomicU64>,
    size: Option<u64>,
}

impl InputFile {
    /// Opens `path`, or standard input for `-`; what begins like gzip is decompressed.
    ///
    /// # Errors
    /// What the system says, also about a first read that fails (a directory, say).
    pub fn open(path: &Path) -> io::Result<Self> {
        let read = Arc::new(AtomicU64::new(0));
        let (input, size): (Box<dyn Read>, _) = if path == Path::new("-") {
            (Box::new(io::stdin()), None)
        } else {
            let file = File::open(path)?;
            let size = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
            (Box::new(file), size)
        };
        let mut input = BufReader::with_capacity(BUFFER, Counted { input, read: Arc::clone(&read) });
        let zipped = input.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let content: Box<dyn BufRead> = if zipped {
            Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(input)))
        } else {
            Box::new(input)
        };
        Ok(Self { content, read, size })
    }

    /// How much of the file has been read, in bytes as they are on the disk.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress { read: Arc::clone(&self.read), size: self.size }
    }
}

impl std::fmt::Debug for InputFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InputFile").field("progress", &self.progress()).finish_non_exhaustive()
    }
}

impl Read for InputFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.content.read(into)
    }
}

impl BufRead for InputFile {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.content.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.content.consume(amount);
    }
}

/// How far a file has been read; goes on telling while somebody else reads the file.
#[derive(Clone, Debug)]
pub struct Progress {
    read: Arc<AtomicU64>,
    size: Option<u64>,
}

impl Progress {
    /// Bytes read so far.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// The size of the file in bytes, where it has one.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.size
    }
}

struct Counted<R> {
    input: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(into)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
