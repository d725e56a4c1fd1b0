import type { FastifyRequest } from 'fastify'
import type { RouteDeps } from '../../platform/module.ts'

/**
 * Counts a mail with a code to an address, whoever has it: 429 above the limits. Strangers cause few mails to an address,
 * and each network only a part of them, so that it takes two to use them up. A known `browser` has its own count: no flood
 * uses that up, whether it comes from the same network or from others.
 */
export async function countMail(
  { limits }: Pick<RouteDeps, 'limits'>,
  request: FastifyRequest,
  address: string,
  browser: string | null,
): Promise<void> {
  if (browser !== null) return limits.countKey('sign_in_mails', `${browser} ${address}`)
  await limits.countClient('sign_in', 'mail', request)
  await limits.countNetwork('sign_in_mails_network', address, request)
  await limits.countKey('sign_in_mails', address)
}
