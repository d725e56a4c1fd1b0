/**
 * Returns the content security policy of the application's pages. Scripts and styles come only from this
 * service; none is inline.
 */
export const policyOf = (nonce: string, mapHosts: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // React Aria adds a few rules of its own to the page: they carry the nonce.
    `style-src 'self' 'nonce-${nonce}'`,
    // Images of publications come from any host; the browser sends no referrer.
    "img-src 'self' https:",
    // The map loads its data from these hosts.
    connectTo(mapHosts),
    "worker-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Policy of scripts, which counts where one runs as a worker: that of the map loads tiles. */
export const workerPolicyOf = (mapHosts: readonly string[]) =>
  ["default-src 'none'", connectTo(mapHosts), "frame-ancestors 'none'"].join('; ')

const connectTo = (hosts: readonly string[]) => ["connect-src 'self'", ...hosts].join(' ')
