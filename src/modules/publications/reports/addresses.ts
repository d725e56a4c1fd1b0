import { type SealedAddresses, sealedAddresses } from '../../../platform/access/sealed-addresses.ts'
import { foldMailAddress } from '../../../platform/formats/mail-address.ts'

/** What is encrypted of a reporter. */
export type Contents = { address: string; secret: string; name: string | null }
/** `digests` takes the address in any case. */
export type ReporterAddresses = SealedAddresses<Contents>

export function reporterAddresses(sessionKeys: readonly string[]): ReporterAddresses {
  const sealed = sealedAddresses<Contents>(sessionKeys, 'reporters', ({ address }) =>
    foldMailAddress(address),
  )
  return { ...sealed, digests: (address) => sealed.digests(foldMailAddress(address)) }
}
