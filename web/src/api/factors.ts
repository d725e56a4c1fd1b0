import type { components } from './api.generated.ts'
import { api, got, signInApi } from './client.ts'
import { makePasskey } from './passkeys.ts'

export type MyFactors = components['schemas']['MyFactors']

const callsOf = (client: typeof api) => ({
  list: async () => (await got(client.GET('/api/v1/me/factors'))).data,
  /** A new secret each time; it counts once a code of it is confirmed. */
  beginTotp: async () => (await got(client.POST('/api/v1/me/totp'))).data,
  async confirmTotp(totp: string): Promise<void> {
    await got(client.POST('/api/v1/me/totp/confirm', { body: { totp } }))
  },
  async addPasskey(label: string): Promise<void> {
    const { data } = await got(client.POST('/api/v1/me/passkeys/options'))
    const passkey = await makePasskey(data as unknown as PublicKeyCredentialCreationOptionsJSON)
    await got(client.POST('/api/v1/me/passkeys', { body: { passkey, label } }))
  },
  /** In place of all others; they are shown once. */
  makeRecoveryCodes: async () => (await got(client.POST('/api/v1/me/recovery-codes'))).data.codes,
})
export type FactorCalls = ReturnType<typeof callsOf>

export const ownFactors = callsOf(api)
/** The same while signing in, where a 401 is a response like others. */
export const factorsWhileSigningIn = callsOf(signInApi)
