/** Reason why the browser gave no passkey: cancelled, already registered, or wrong domain. */
export class PasskeyFailure extends Error {
  readonly reason: 'cancelled' | 'known' | 'elsewhere'
  constructor(reason: PasskeyFailure['reason']) {
    super(reason)
    this.name = 'PasskeyFailure'
    this.reason = reason
  }
}

/** Whether the browser supports passkeys here: over https or on localhost only. */
export const knowsPasskeys = () =>
  isSecureContext && 'credentials' in navigator && 'PublicKeyCredential' in window

// Replaces `parseRequestOptionsFromJSON` and `toJSON`, which browsers of 2024 lack.
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

/** Signs the service's challenge with a passkey, which the user unlocks. */
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

/** Creates a passkey on this device, or on another one that the user chooses. */
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
