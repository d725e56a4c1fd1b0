import Type, { type TProperties } from 'typebox'
import {
  filledLine,
  Id,
  line,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  titled,
} from '../../../platform/http/validation/schemas.ts'

const TotpCode = line(20, { description: 'The six digits that the app shows', examples: ['123456'] })
const RecoveryCode = line(50, { description: 'One of the ten', examples: ['f7kq-2mzr-xw4d-9hnb'] })

// Base64url: a credential is looked up and stored by it.
const credentialId = Type.String({ maxLength: 2_000, pattern: '^[\\w-]*$' })

/** JSON form of a credential from the browser's `navigator.credentials`. The WebAuthn library checks its parts. */
function credential<Response extends TProperties>(response: Response, example: object) {
  return strictObject(
    {
      id: credentialId,
      rawId: credentialId,
      type: Type.Literal('public-key'),
      response: strictObject(response),
      clientExtensionResults: Type.Optional(Type.Object({}, { additionalProperties: true })),
      authenticatorAttachment: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
    },
    { examples: [{ id: 'b3JiaXQ', rawId: 'b3JiaXQ', type: 'public-key', response: example }] },
  )
}

const Assertion = credential(
  {
    clientDataJSON: Type.String({ maxLength: 10_000 }),
    authenticatorData: Type.String({ maxLength: 10_000 }),
    signature: Type.String({ maxLength: 10_000 }),
    userHandle: Type.Optional(nullable(Type.String({ maxLength: 1_000 }))),
  },
  { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: null },
)

const Attestation = credential(
  {
    clientDataJSON: Type.String({ maxLength: 10_000 }),
    attestationObject: Type.String({ maxLength: 50_000 }),
    authenticatorData: Type.Optional(Type.String({ maxLength: 10_000 })),
    transports: Type.Optional(Type.Array(line(50), { maxItems: 10 })),
    publicKeyAlgorithm: Type.Optional(Type.Integer()),
    publicKey: Type.Optional(Type.String({ maxLength: 10_000 })),
  },
  { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
)

export const SecondFactorBody = strictObject({
  totp: Type.Optional(TotpCode),
  recovery_code: Type.Optional(RecoveryCode),
  passkey: Type.Optional(Assertion),
})
export const ConfirmBody = strictObject({
  passkey: Type.Optional(Assertion),
  totp: Type.Optional(TotpCode),
  code: Type.Optional(line(20, { description: 'The six digits of the mail', examples: ['123456'] })),
})
export const TotpBody = strictObject({ totp: TotpCode })
export const PasskeyBody = strictObject({
  passkey: Attestation,
  label: filledLine(100, { description: 'How its owner calls it', examples: ['Téléphone'] }),
})
export const PasskeyOptionsQuery = strictObject({
  purpose: Type.Optional(
    oneOf(
      ['sign_in'],
      'To sign in by any passkey of the device; else, in a session, the options list those of its user',
    ),
  ),
})
export const PasskeyVerifyBody = strictObject({ passkey: Assertion })

export const Passkey = titled('Passkey', {
  id: Id(),
  label: Type.String({ examples: ['Téléphone'] }),
  created_at: ResponseTimestamp(),
  last_used_at: nullable(ResponseTimestamp()),
})

export const MyFactors = titled('MyFactors', {
  required: Type.Boolean({ description: 'Whether the caller must have one', examples: [true] }),
  totp: Type.Boolean({ description: 'Whether an authenticator app is set up', examples: [true] }),
  passkeys: Type.Array(Passkey),
  recovery_codes: Type.Integer({ description: 'How many are left', examples: [10] }),
  mailed_code: Type.Boolean({
    description: 'Whether there is an address for a mailed code: confirms where no factor is set up',
    examples: [true],
  }),
})

export const NewTotp = titled('NewTotp', {
  secret: Type.String({ description: 'For an app that reads no QR code', examples: ['JBSWY3DPEHPK3PXP'] }),
  uri: Type.String({
    description: 'What the QR code says',
    examples: ['otpauth://totp/Parvis:zoe%40example.org?secret=JBSWY3DPEHPK3PXP&issuer=Parvis'],
  }),
})

export const RecoveryCodes = titled('RecoveryCodes', {
  codes: Type.Array(Type.String(), {
    description: 'Shown once; each works once',
    examples: [['f7kq-2mzr-xw4d-9hnb']],
  }),
})

export const ByPasskeyId = Type.Object({ id: Id('Identifier of the passkey') })
export const FactorsReset = titled('FactorsReset', {
  user_id: Id(),
  ended: Type.Integer({ description: 'How many sessions were ended', examples: [1] }),
})

/** Options for `navigator.credentials`, as the WebAuthn specification writes them in JSON. */
export const WebAuthnOptions = Type.Unsafe<object>({
  type: 'object',
  title: 'WebAuthnOptions',
  additionalProperties: true,
  examples: [{ challenge: 'c29tZXRoaW5n', rpId: 'parvis.example.org' }],
})
