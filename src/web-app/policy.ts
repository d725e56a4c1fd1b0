/** Content security policy of the application's pages. Scripts and styles come from this service alone; none is inline. */
export const policyOf = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // React Aria adds a few rules of its own to the page: they carry the nonce.
    `style-src 'self' 'nonce-${nonce}'`,
    // Pictures of publications come from anywhere; no address of ours goes with the request.
    "img-src 'self' https:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
