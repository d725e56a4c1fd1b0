import os from 'node:os'

/** For a small machine that it shares with the service. Given at each start, so a later version can change them. */
export function serverSettings(durable: boolean): Record<string, string> {
  return {
    // No TCP and no TLS, for the OpenSSL in these binaries is no longer maintained; no file can say otherwise, since the
    // command line goes before.
    listen_addresses: '',
    ssl: 'off',
    // Relative to the data folder, where the server works: a socket's path may be 107 bytes long.
    unix_socket_directories: '../socket',
    unix_socket_permissions: '0700',
    port: '5432',
    max_connections: '60',

    shared_buffers: sharedBuffers(os.totalmem(), process.constrainedMemory()),
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    max_wal_size: '512MB',
    random_page_cost: '1.1',
    jit: 'off',
    // Two cores are better used by two requests, and a container's /dev/shm is small.
    max_parallel_workers_per_gather: '0',

    timezone: 'UTC',
    log_timezone: 'UTC',
    // Life and death of the server. An error goes to the service that made it; here its text could hold a person's data.
    log_destination: 'stderr',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    // Even then a killed process loses nothing; only a machine that goes down does.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }
}

const MB = 1_048_576

/**
 * A sixteenth of the memory, where that is more than PostgreSQL's own 128 MB, up to 1 GB. A page that is not among them is
 * checked as it comes in, and another one as it goes out: of a bulk decision among a million that was a quarter.
 * `constrained` is 0 where nothing bounds the process.
 */
export function sharedBuffers(totalBytes: number, constrainedBytes: number): string {
  const bytes = constrainedBytes > 0 ? Math.min(totalBytes, constrainedBytes) : totalBytes
  return `${Math.min(1_024, Math.max(128, Math.floor(bytes / MB / 16)))}MB`
}
