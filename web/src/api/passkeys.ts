/** Why the browser gave no passkey: its user cancelled, has one here already, or the address is not the passkeys'. */
export class PasskeyFailure extends Error {
  readonly reason: 'cancelled' | 'known' | 'elsewhere'
  constructor(reason: PasskeyFailure['reason']) {
    super(reason)
    this.name = 'PasskeyFailure'
    this.reason = reason
  }
}

/** Browsers know passkeys on https and on localhost alone. */
export const knowsPasskeys = () =>
  isSecureContext && 'credentials' in navigator && 'PublicKeyCredential' in window

// Does what `parseRequestOptionsFromJSON` and `toJSON` do: browsers of 2024 lack them.
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const withBytes = ({ id, transports }: PublicKeyCredentialDescriptorJSON): PublicKeyCredentialDescriptor => ({
  type: 'public-key',
  id: bytesOf(id),
  ...(transports && { transports: transports as AuthenticatorTransport[] }),
})

/** Has a passkey sign the service's challenge. Its owner unlocks it. */
export async function signByPasskey(options: PublicKeyCredentialRequestOptionsJSON) {
  const publicKey = {
    ...(options as object),
    challenge: bytesOf(options.challenge),
    allowCredentials: options.allowCredentials?.map(withBytes) ?? [],
  }
  const { id, rawId, response } = await asked(() => navigator.credentials.get({ publicKey }))
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    response as AuthenticatorAssertionResponse
  return {
    id,
    rawId: textOf(rawId),
    type: 'public-key' as const,
    response: {
      clientDataJSON: textOf(clientDataJSON),
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
      userHandle: userHandle && textOf(userHandle),
    },
  }
}

/** Makes a passkey on this device, or on the one that its owner chooses. */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON) {
  const publicKey = {
    ...(options as object),
    challenge: bytesOf(options.challenge),
    rp: options.rp,
    pubKeyCredParams: options.pubKeyCredParams as PublicKeyCredentialParameters[],
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: options.excludeCredentials?.map(withBytes) ?? [],
  }
  const { id, rawId, response } = await asked(() => navigator.credentials.create({ publicKey }))
  const { clientDataJSON, attestationObject, getTransports } = response as AuthenticatorAttestationResponse
  return {
    id,
    rawId: textOf(rawId),
    type: 'public-key' as const,
    response: {
      clientDataJSON: textOf(clientDataJSON),
      attestationObject: textOf(attestationObject),
      transports: getTransports.call(response),
    },
  }
}

const reasons: Record<string, PasskeyFailure['reason']> = {
  InvalidStateError: 'known',
  SecurityError: 'elsewhere',
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await ask().catch((error: unknown) => {
    throw new PasskeyFailure((error instanceof DOMException && reasons[error.name]) || 'cancelled')
  })
  if (credential === null) throw new PasskeyFailure('cancelled')
  return credential as PublicKeyCredential
}
