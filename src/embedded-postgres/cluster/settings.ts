import os from 'node:os'

/** Returns settings for a small machine, passed at each start so that later versions can change them. */
export function serverSettings(durable: boolean, maxConnections = 60): Record<string, string> {
  return {
    // No TCP and no TLS, because the bundled OpenSSL is no longer maintained. The command line overrides files.
    listen_addresses: '',
    ssl: 'off',
    // Relative to the data folder, the server's working directory: a socket path may be 107 bytes long.
    unix_socket_directories: '../socket',
    unix_socket_permissions: '0700',
    port: '5432',
    // Concurrent test files open several instances each.
    max_connections: durable ? `${maxConnections}` : '200',

    shared_buffers: sharedBuffers(os.totalmem(), process.constrainedMemory()),
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    max_wal_size: '512MB',
    random_page_cost: '1.1',
    jit: 'off',
    // Two cores serve two requests better, and a container's /dev/shm is small.
    max_parallel_workers_per_gather: '0',

    timezone: 'UTC',
    log_timezone: 'UTC',
    // Server lifecycle only. Errors go to the service; in this file their text could contain personal data.
    log_destination: 'stderr',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    // A killed process still loses nothing; only a machine crash can lose data.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }
}

const MB = 1_048_576

/**
 * Returns a sixteenth of the memory, between PostgreSQL's default of 128 MB and 1 GB. Pages outside are
 * checksummed at each read and write: a quarter of the time of a bulk decision among a million.
 * `constrainedBytes` 0: no limit.
 */
export function sharedBuffers(totalBytes: number, constrainedBytes: number): string {
  const bytes = constrainedBytes > 0 ? Math.min(totalBytes, constrainedBytes) : totalBytes
  return `${Math.min(1_024, Math.max(128, Math.floor(bytes / MB / 16)))}MB`
}
