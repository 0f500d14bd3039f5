//! A terminal: lines of text with a look, painted where they changed; keys; everything put back at the end.

use std::io::{self, Stdout, Write as _};
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::style::{Attribute, Color, Print, ResetColor, SetAttribute, SetForegroundColor};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{execute, queue};

/// How a piece of text looks. Nothing is told by the look alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// As it comes.
    Plain,
    /// For what matters less.
    Faint,
    /// For what is there.
    Strong,
    /// For what is wanted now.
    Wanted,
    /// For what is wrong.
    Wrong,
}

/// A line of pieces.
pub(super) type Line = Vec<(String, Look)>;

/// What people pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pressed {
    /// A letter, or a space.
    Key(char),
    /// The tabulator.
    Tab,
    /// Enter.
    Enter,
    /// Ctrl-C, or the end of the terminal.
    Quit,
}

/// A terminal that is ours for a while.
pub(super) struct Screen {
    out: Stdout,
    painted: Vec<Line>,
    size: (u16, u16),
}

impl Screen {
    /// Takes the terminal over.
    pub(super) fn open() -> io::Result<Self> {
        enable_raw_mode()?;
        // From here on, dropping it puts the terminal back.
        let mut screen = Self { out: io::stdout(), painted: Vec::new(), size: (0, 0) };
        execute!(screen.out, EnterAlternateScreen, Hide)?;
        screen.size = size()?;
        Ok(screen)
    }

    /// How many columns there are.
    pub(super) const fn width(&self) -> usize {
        self.size.0 as usize
    }

    /// Shows these lines, the last one at the bottom.
    pub(super) fn paint(&mut self, lines: Vec<Line>, bottom: Line) -> io::Result<()> {
        let rows = usize::from(self.size.1);
        let mut wanted = lines;
        wanted.truncate(rows.saturating_sub(1));
        wanted.resize(rows.saturating_sub(1), Line::new());
        wanted.push(bottom);
        for (row, line) in (0..self.size.1).zip(&wanted) {
            if self.painted.get(usize::from(row)) == Some(line) {
                continue;
            }
            queue!(self.out, MoveTo(0, row), Clear(ClearType::UntilNewLine))?;
            let mut room = self.width();
            for (text, look) in line {
                let text: String = text.chars().take(room).collect();
                room -= text.chars().count();
                put(&mut self.out, &text, *look)?;
            }
        }
        self.painted = wanted;
        self.out.flush()
    }

    /// Waits a while for a key.
    pub(super) fn pressed(&mut self, wait: Duration) -> io::Result<Option<Pressed>> {
        if !poll(wait)? {
            return Ok(None);
        }
        Ok(match read()? {
            Event::Key(key) if key.kind == KeyEventKind::Press => match key.code {
                KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                    Some(Pressed::Quit)
                }
                KeyCode::Char(letter) => Some(Pressed::Key(letter)),
                KeyCode::Tab => Some(Pressed::Tab),
                KeyCode::Enter => Some(Pressed::Enter),
                KeyCode::Esc => Some(Pressed::Quit),
                _ => None,
            },
            Event::Resize(columns, rows) => {
                self.size = (columns, rows);
                self.painted.clear();
                queue!(self.out, Clear(ClearType::All))?;
                None
            }
            _ => None,
        })
    }
}

fn put(out: &mut Stdout, text: &str, look: Look) -> io::Result<()> {
    match look {
        Look::Plain => {}
        Look::Faint => queue!(out, SetAttribute(Attribute::Dim))?,
        Look::Strong => queue!(out, SetAttribute(Attribute::Bold))?,
        Look::Wanted => queue!(out, SetAttribute(Attribute::Reverse))?,
        Look::Wrong => queue!(out, SetForegroundColor(Color::Red))?,
    }
    queue!(out, Print(text), SetAttribute(Attribute::Reset), ResetColor)
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Nothing is left to be done about a terminal that does not take it.
        let _ = execute!(self.out, Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}
