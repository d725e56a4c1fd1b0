import { type SealedAddresses, sealedAddresses } from '../../platform/access/sealed-addresses.ts'
import { foldMailAddress } from '../../platform/formats/mail-address.ts'

/** Seals the addresses of subscribers. That of a browser is the endpoint at its push service, with its keys. */
export type Addresses = Omit<SealedAddresses<Contents>, 'digests'> & {
  digests(channel: Channel, address: string): Buffer[]
}
export type Channel = 'email' | 'push'
export type Contents = { channel: Channel; address: string; secret: string; push?: BrowserKeys }
/** Keys of a browser, which messages to it are encrypted with, and the public key of this service that it trusts. Base64url. */
export type BrowserKeys = { p256dh: string; auth: string; serverKey: string }

export function addressesOf(sessionKeys: readonly string[]): Addresses {
  const textOf = ({ channel, address }: Pick<Contents, 'channel' | 'address'>) =>
    `${channel} ${channel === 'email' ? foldMailAddress(address) : address}`
  const sealed = sealedAddresses(sessionKeys, 'residents', textOf as (contents: Contents) => string)
  return { ...sealed, digests: (channel, address) => sealed.digests(textOf({ channel, address })) }
}
