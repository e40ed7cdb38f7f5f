//! Gauges, measured when metrics are read: work that waits, sizes, and the state of the service.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use link_domain::kernel::clock::Wall;
use link_store::{DATABASE_FILE, Due, StoreError};
use prometheus::{Gauge, GaugeVec, IntGauge, IntGaugeVec, Opts, Registry};
use tokio::sync::Mutex;

use crate::app::App;
use crate::logs::Sampled;

/// How long the counts of the database are used again, so that frequent readers cost little.
const CACHED: Duration = Duration::from_secs(5);
/// How long the database may take to count.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The gauges.
pub(super) struct Gauges {
    ready: IntGauge,
    retention_paused: IntGauge,
    long_polls: IntGauge,
    jobs_due: IntGaugeVec,
    jobs_oldest: GaugeVec,
    deliveries_due: IntGaugeVec,
    deliveries_oldest: GaugeVec,
    open_breakers: IntGauge,
    backlog_readable: IntGauge,
    backup_failing: Option<IntGauge>,
    master_key_age: Gauge,
    database_bytes: Option<[(PathBuf, IntGauge); 2]>,
    disk_free: Option<(PathBuf, IntGauge)>,
    process: Process,
    counted: Mutex<Option<Instant>>,
    failed: Sampled,
}

impl Gauges {
    /// Registers the gauges.
    ///
    /// # Errors
    /// If two metrics have the same name, which a test rules out.
    pub(super) fn register(registry: &Registry, app: &App) -> prometheus::Result<Self> {
        let gauge = |name: &str, help: &str| {
            let gauge = IntGauge::new(name, help)?;
            registry.register(Box::new(gauge.clone()))?;
            prometheus::Result::Ok(gauge)
        };
        let counts = |name: &str, help: &str, label: &str| {
            let gauges = IntGaugeVec::new(Opts::new(name, help), &[label])?;
            registry.register(Box::new(gauges.clone()))?;
            prometheus::Result::Ok(gauges)
        };
        let ages = |name: &str, help: &str, label: &str| {
            let gauges = GaugeVec::new(Opts::new(name, help), &[label])?;
            registry.register(Box::new(gauges.clone()))?;
            prometheus::Result::Ok(gauges)
        };
        let build = counts("linchpin_build_info", "1, with the version of the program.", "version")?;
        build.with_label_values(&[env!("CARGO_PKG_VERSION")]).set(1);
        let settings = &app.settings;
        let folder = (!settings.ephemeral).then(|| settings.data_dir.clone());
        let database_bytes = match folder.as_deref().filter(|_| settings.database_url.is_none()) {
            None => None,
            Some(folder) => {
                let bytes = counts("linchpin_sqlite_bytes", "Size of SQLite's files.", "file")?;
                let file = |name: &str, label| (folder.join(name), bytes.with_label_values(&[label]));
                Some([file(DATABASE_FILE, "database"), file(&format!("{DATABASE_FILE}-wal"), "wal")])
            }
        };
        let disk_free = match folder {
            None => None,
            Some(folder) => {
                let help = "Bytes that the service may still write on the disk of the data folder.";
                Some((folder, gauge("linchpin_data_disk_free_bytes", help)?))
            }
        };
        let backup_failing = match &settings.backups {
            None => None,
            Some(_) => {
                let help = "1 if the last scheduled backup of all nodes failed, or old ones were not removed, otherwise 0.";
                Some(gauge("linchpin_backup_failing", help)?)
            }
        };
        let master_key_age = Gauge::new(
            "linchpin_master_key_age_seconds",
            "Time since the master key was created or rotated.",
        )?;
        registry.register(Box::new(master_key_age.clone()))?;
        Ok(Self {
            ready: gauge("linchpin_ready", "1 if the readiness check succeeds, otherwise 0.")?,
            retention_paused: gauge(
                "linchpin_retention_paused",
                "1 if erasure waits for an operator because the clock jumped, otherwise 0.",
            )?,
            long_polls: gauge("linchpin_long_polls", "Widgets that wait for news.")?,
            jobs_due: counts(
                "linchpin_jobs_due",
                "Jobs that are due, by queue; at most 1,000 of each tenant's environment are counted.",
                "queue",
            )?,
            jobs_oldest: ages(
                "linchpin_jobs_oldest_due_seconds",
                "How long the oldest due job has waited, by queue. 0 if none is due.",
                "queue",
            )?,
            deliveries_due: counts(
                "linchpin_deliveries_due",
                "Deliveries that are due, by attempt (first, resend); at most 1,000 are counted.",
                "attempt",
            )?,
            deliveries_oldest: ages(
                "linchpin_deliveries_oldest_due_seconds",
                "How long the oldest due delivery has waited, without those of paused webhooks. 0 if none is due.",
                "attempt",
            )?,
            open_breakers: gauge("linchpin_webhooks_paused", "Webhooks that are paused because they fail.")?,
            backlog_readable: gauge(
                "linchpin_backlog_readable",
                "1 if the database could count the work that is due, otherwise 0. Then the counts are outdated.",
            )?,
            backup_failing,
            master_key_age,
            database_bytes,
            disk_free,
            process: Process::register(registry)?,
            counted: Mutex::default(),
            failed: Sampled::default(),
        })
    }

    /// Measures everything again. The counts of the database may be 5 seconds old.
    pub(super) async fn measure(&self, app: &App) {
        self.ready.set((!app.is_stopping() && app.health.readiness.is_ready(&app.store).await).into());
        self.retention_paused.set(app.health.known_jump.get().is_some().into());
        self.long_polls.set(to_gauge(app.limits.long_polls.waiting()));
        for (path, bytes) in self.database_bytes.iter().flatten() {
            bytes.set(size_of(path));
        }
        if let Some((folder, free)) = &self.disk_free
            && let Ok(disk) = rustix::fs::statvfs(folder)
        {
            free.set(i64::try_from(disk.f_bavail.saturating_mul(disk.f_frsize)).unwrap_or(i64::MAX));
        }
        self.process.measure();
        let mut counted = self.counted.lock().await;
        if counted.is_none_or(|at| at.elapsed() >= CACHED) {
            let is_read = self.count(app).await;
            self.backlog_readable.set(is_read.into());
            *counted = Some(Instant::now());
        }
    }

    async fn count(&self, app: &App) -> bool {
        let now = app.wall();
        let read = app.store.read(move |reader| {
            Ok((reader.backlog(now)?, reader.scheduled_backups().get()?, reader.master_keys().list()?))
        });
        let (backlog, last, keys) = match tokio::time::timeout(TIMEOUT, read).await {
            Ok(Ok(read)) => read,
            Ok(Err::<_, StoreError>(error)) => {
                if self.failed.count(Instant::now()).is_some() {
                    tracing::warn!(%error, "The work that is due could not be counted for the metrics");
                }
                return false;
            }
            Err(_) => return false,
        };
        for (queue, due) in &backlog.jobs {
            self.jobs_due.with_label_values(&[queue.as_str()]).set(to_gauge(due.count));
            self.jobs_oldest.with_label_values(&[queue.as_str()]).set(age(due, now));
        }
        for (attempt, due) in [("first", backlog.deliveries), ("resend", backlog.resends)] {
            self.deliveries_due.with_label_values(&[attempt]).set(to_gauge(due.count));
            self.deliveries_oldest.with_label_values(&[attempt]).set(age(&due, now));
        }
        self.open_breakers.set(to_gauge(backlog.open_breakers));
        if let Some(key) = keys.first() {
            self.master_key_age.set(now.since(key.created_at).as_secs_f64());
        }
        if let Some(failing) = &self.backup_failing {
            failing.set(last.fault.is_some().into());
            app.reports.metrics.note_backup(last.good_at.map_or(0, |at| at.micros() / 1_000_000));
        }
        true
    }
}

fn to_gauge(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}

fn age(due: &Due, now: Wall) -> f64 {
    due.since.map_or(0.0, |since| now.since(since).as_secs_f64())
}

fn size_of(path: &Path) -> i64 {
    std::fs::metadata(path).map_or(0, |file| to_gauge(file.len()))
}

/// The common metrics of a process, with their usual names. Our own: the library's depend on another version of rustix.
struct Process {
    started: Instant,
    uptime: Gauge,
    cpu: Gauge,
    resident: IntGauge,
    open_files: IntGauge,
    max_files: IntGauge,
}

impl Process {
    fn register(registry: &Registry) -> prometheus::Result<Self> {
        let gauge = |name: &str, help: &str| {
            let gauge = IntGauge::new(name, help)?;
            registry.register(Box::new(gauge.clone()))?;
            prometheus::Result::Ok(gauge)
        };
        let cpu = Gauge::new("linchpin_process_cpu_seconds", "Processor time since the start.")?;
        registry.register(Box::new(cpu.clone()))?;
        let uptime = Gauge::new("linchpin_process_uptime_seconds", "Time since the start.")?;
        registry.register(Box::new(uptime.clone()))?;
        Ok(Self {
            started: Instant::now(),
            uptime,
            cpu,
            resident: gauge("process_resident_memory_bytes", "Memory of the process.")?,
            open_files: gauge("process_open_fds", "Open files and connections.")?,
            max_files: gauge("process_max_fds", "The limit on open files and connections.")?,
        })
    }

    /// Reads what this system offers. Without `/proc`, memory and files stay 0.
    fn measure(&self) {
        self.uptime.set(self.started.elapsed().as_secs_f64());
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        self.cpu.set(Duration::try_from(used).unwrap_or_default().as_secs_f64());
        let page = rustix::param::page_size() as u64;
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = statm.split(' ').nth(1).and_then(|it| it.parse::<u64>().ok()).unwrap_or_default();
        self.resident.set(to_gauge(pages.saturating_mul(page)));
        let files = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        self.open_files.set(to_gauge(files));
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        self.max_files.set(to_gauge(limit.unwrap_or(u64::MAX)));
    }
}
