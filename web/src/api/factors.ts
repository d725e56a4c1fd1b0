import { queryOptions } from '@tanstack/react-query'
import type { components } from './api.generated.ts'
import { api, got, signInApi } from './client.ts'
import { makePasskey } from './passkeys.ts'

export type MyFactors = components['schemas']['MyFactors']

const callsOf = (client: typeof api) => ({
  list: async () => (await got(client.GET('/api/v1/me/factors'))).data,
  /** Creates a new TOTP secret on each call; it is active once the user has confirmed a code. */
  beginTotp: async () => (await got(client.POST('/api/v1/me/totp'))).data,
  async confirmTotp(totp: string): Promise<void> {
    await got(client.POST('/api/v1/me/totp/confirm', { body: { totp } }))
  },
  async addPasskey(label: string): Promise<void> {
    const { data } = await got(client.POST('/api/v1/me/passkeys/options'))
    const passkey = await makePasskey(data as unknown as PublicKeyCredentialCreationOptionsJSON)
    await got(client.POST('/api/v1/me/passkeys', { body: { passkey, label } }))
  },
  /** Creates recovery codes that replace all earlier ones; the service returns them only once. */
  makeRecoveryCodes: async () => (await got(client.POST('/api/v1/me/recovery-codes'))).data.codes,
})
export type FactorCalls = ReturnType<typeof callsOf>

export const ownFactors = callsOf(api)
export const factorsQuery = queryOptions({ queryKey: ['me', 'factors'], queryFn: ownFactors.list })
/** Calls for use during sign-in, where a 401 must not ask to sign in again. */
export const factorsWhileSigningIn = callsOf(signInApi)
