//! The table `[private]`: what the arbiter and whoever watches the daemon are served.

use std::net::{Ipv4Addr, SocketAddr};

use serde::{Deserialize, Serialize};

use super::Problem;
use super::public::{Public, address};

/// The private HTTP server: the arbiter's feed, metrics, health.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Private {
    /// Where: an address of this machine itself, with a port.
    #[serde(deserialize_with = "address")]
    pub listen: SocketAddr,
}

impl Default for Private {
    fn default() -> Self {
        Self { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8081)) }
    }
}

impl Private {
    pub(super) fn check(&self, public: &Public, problems: &mut Vec<Problem>) {
        if !self.listen.ip().is_loopback() {
            problems.push(Problem {
                key: "private.listen".to_owned(),
                found: self.listen.to_string(),
                expected: "an address of this machine itself, such as 127.0.0.1:8081 or [::1]:8081"
                    .to_owned(),
                advice: "alerts are for the arbiter alone, and this server asks nobody who he is; \
                         put a proxy with TLS and a password before it to reach it from elsewhere",
            });
        }
        let same_port = self.listen.port() == public.listen.port() && self.listen.port() != 0;
        let overlap = public.listen.ip() == self.listen.ip() || public.listen.ip().is_unspecified();
        if same_port && overlap {
            problems.push(Problem {
                key: "private.listen".to_owned(),
                found: self.listen.to_string(),
                expected: format!("another port than that of public.listen, which is {}", public.listen),
                advice: "the two audiences have a listener each",
            });
        }
    }
}
