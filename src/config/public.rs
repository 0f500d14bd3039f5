//! The table `[public]`: what spectators are served, where, and how late.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::Problem;

/// The longest delay, in minutes.
const LONGEST_DELAY_MIN: u32 = 60;

/// The public HTTP server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Public {
    /// Where the page and the feeds are served: an address with a port.
    #[serde(deserialize_with = "address")]
    pub listen: SocketAddr,
    /// How many minutes the public is behind the game, 0 to 60.
    pub delay_min: u32,
}

impl Default for Public {
    fn default() -> Self {
        Self { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)), delay_min: 0 }
    }
}

impl Public {
    /// How long the public is behind the game.
    #[must_use]
    pub fn delay(&self) -> Duration {
        Duration::from_secs(60 * u64::from(self.delay_min))
    }

    pub(super) fn check(&self, problems: &mut Vec<Problem>) {
        if self.delay_min > LONGEST_DELAY_MIN {
            problems.push(Problem {
                key: "public.delay-min".to_owned(),
                found: self.delay_min.to_string(),
                expected: format!("0 to {LONGEST_DELAY_MIN}"),
                advice: "it is in minutes; 15 is usual in chess, 0 shows the game as it is played",
            });
        }
    }
}

pub(super) fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| {
        de::Error::custom(format_args!(
            "`{text}` is not an address with a port, such as 127.0.0.1:8080 or [::]:8080; names are not looked up"
        ))
    })
}
