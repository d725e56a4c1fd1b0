/**
 * Headers of every response. Responses are data, so nothing in them may run; pages and scripts replace the policy by their
 * own. No HSTS: only the reverse proxy knows whether the host is served over TLS.
 */
export const securityHeaders = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
}
