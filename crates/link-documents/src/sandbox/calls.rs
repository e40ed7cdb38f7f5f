//! seccomp: the child may make only the system calls that reading a document needs. The list works for glibc and musl,
//! for this program and for Tesseract.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

use super::entered::Entered;
use super::layer::Layer;

/// Calls that are allowed with any arguments.
const ALLOWED: &[i64] = &[
    // Open descriptors, and paths, which Landlock checks.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_eventfd2,
    libc::SYS_fadvise64,
    libc::SYS_openat,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_fstatfs,
    libc::SYS_statfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    // Memory.
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_mincore,
    libc::SYS_membarrier,
    // Threads, programs, and how they end.
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_rseq,
    libc::SYS_set_tid_address,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_getcpu,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_execve,
    libc::SYS_restart_syscall,
    // Handling signals. Sending them is restricted below.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_sigaltstack,
    // Time, randomness, and information about the own process.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getrandom,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getrusage,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getpgid,
    libc::SYS_getsid,
];

/// The older calls of x86-64.
#[cfg(target_arch = "x86_64")]
const ALLOWED_OF_OLD: &[i64] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_pipe,
    libc::SYS_dup2,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_arch_prctl,
    libc::SYS_getpgrp,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_time,
    libc::SYS_getrlimit,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_OF_OLD: &[i64] = &[];

/// New namespaces, as flags of `clone`.
const NAMESPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// `ioctl` requests: TCGETS (is it a terminal), FIOCLEX, FIONCLEX, FIONBIO and FIONREAD (a descriptor's own flags).
/// Others reach drivers. They are numbers, because the C libraries give them different types.
const REQUESTS: [u64; 5] = [0x5401, 0x5451, 0x5450, 0x5421, 0x541B];

/// `fcntl` commands. Those that are missing make the kernel send signals, lease files or seal memory.
const COMMANDS: [i32; 6] =
    [libc::F_DUPFD, libc::F_DUPFD_CLOEXEC, libc::F_GETFD, libc::F_SETFD, libc::F_GETFL, libc::F_SETFL];

/// `prctl` options: names of threads and memory.
const OPTIONS: [i32; 3] = [libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_SET_VMA];

pub(super) fn enter(entered: &mut Entered) {
    let applied = apply();
    if applied.is_ok() {
        entered.note(Layer::Network, Ok::<_, String>("seccomp".to_owned()));
    }
    entered.note(Layer::SystemCalls, applied.map(|()| "seccomp".to_owned()));
}

fn apply() -> Result<(), seccompiler::Error> {
    for program in [without_clone3()?, build_allow_filter()?] {
        seccompiler::apply_filter(&program)?;
    }
    Ok(())
}

/// The flags of `clone3` are in memory, which a filter cannot read. The C libraries fall back to `clone` if the kernel
/// does not have it.
fn without_clone3() -> Result<BpfProgram, BackendError> {
    let rules = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    filter(rules, SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS as u32))
}

fn build_allow_filter() -> Result<BpfProgram, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().chain(ALLOWED_OF_OLD).map(|call| (*call, Vec::new())).collect();
    // Rejected by the filter above.
    rules.insert(libc::SYS_clone3, Vec::new());
    let namespaces = u64::from(NAMESPACES.cast_unsigned());
    rules.insert(libc::SYS_clone, vec![when(0, SeccompCmpOp::MaskedEq(namespaces), 0)?]);
    rules.insert(libc::SYS_ioctl, one_of(1, REQUESTS)?);
    rules.insert(libc::SYS_fcntl, one_of(1, COMMANDS.map(number))?);
    rules.insert(libc::SYS_prctl, one_of(0, OPTIONS.map(number))?);
    // Only the own process group, which cannot be left: `setpgid` and `setsid` are not on the list.
    rules.insert(libc::SYS_kill, one_of(0, [0])?);
    // Read-only, because the limits are final.
    let unset = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?;
    rules.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![unset])?]);
    filter(rules, SeccompAction::Errno(libc::EPERM as u32), SeccompAction::Allow)
}

fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    matched: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, otherwise, matched, architecture)?.try_into()
}

fn number(value: i32) -> u64 {
    u64::from(value.cast_unsigned())
}

/// Returns a rule for a 32-bit argument.
fn when(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?])
}

fn one_of<const N: usize>(argument: u8, values: [u64; N]) -> Result<Vec<SeccompRule>, BackendError> {
    values.into_iter().map(|value| when(argument, SeccompCmpOp::Eq, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_compile_within_the_kernels_limit() {
        for program in [without_clone3().unwrap(), build_allow_filter().unwrap()] {
            assert!((1..4096).contains(&program.len()), "{}", program.len());
        }
    }

    #[test]
    fn dangerous_calls_are_not_on_the_list() {
        let refused = [
            libc::SYS_socket,
            libc::SYS_socketpair,
            libc::SYS_connect,
            libc::SYS_bind,
            libc::SYS_ptrace,
            libc::SYS_process_vm_readv,
            libc::SYS_process_vm_writev,
            libc::SYS_mount,
            libc::SYS_umount2,
            libc::SYS_pivot_root,
            libc::SYS_chroot,
            libc::SYS_bpf,
            libc::SYS_keyctl,
            libc::SYS_add_key,
            libc::SYS_request_key,
            libc::SYS_userfaultfd,
            libc::SYS_perf_event_open,
            libc::SYS_kexec_load,
            libc::SYS_init_module,
            libc::SYS_finit_module,
            libc::SYS_io_uring_setup,
            libc::SYS_unshare,
            libc::SYS_setns,
            libc::SYS_memfd_create,
            libc::SYS_execveat,
            libc::SYS_setuid,
            libc::SYS_setresuid,
            libc::SYS_capset,
            libc::SYS_setpgid,
            libc::SYS_setsid,
            libc::SYS_tgkill,
            libc::SYS_tkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_pidfd_open,
            libc::SYS_pidfd_getfd,
            libc::SYS_truncate,
            libc::SYS_ftruncate,
            libc::SYS_unlinkat,
            libc::SYS_renameat2,
            libc::SYS_fchmodat,
            libc::SYS_fchownat,
            libc::SYS_setrlimit,
            libc::SYS_personality,
            libc::SYS_shmget,
            libc::SYS_openat2,
        ];
        for call in refused {
            assert!(!ALLOWED.contains(&call) && !ALLOWED_OF_OLD.contains(&call), "{call}");
        }
    }
}
