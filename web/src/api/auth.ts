import { queryOptions } from '@tanstack/react-query'
import type { components } from './api.generated.ts'
import { got, signInApi } from './client.ts'
import { signByPasskey } from './passkeys.ts'
import { onlyOnRequest } from './queries.ts'

export type SignInStatus = components['schemas']['SignInStatus']['status']

/** The sign-in methods that this service offers. */
export const methodsQuery = queryOptions({
  queryKey: ['auth', 'methods'],
  staleTime: 60_000,
  queryFn: async () => (await got(signInApi.GET('/api/v1/auth/methods'))).data,
})
export type Methods = components['schemas']['SignInMethods']

/** Whether a text may be an e-mail address; the service checks it further. */
export const isAddress = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text)

export async function sendMail(email: string): Promise<void> {
  await got(signInApi.POST('/api/v1/auth/email', { body: { email } }))
}

export async function verify(proof: { token: string } | { code: string }): Promise<SignInStatus> {
  return (await got(signInApi.POST('/api/v1/auth/email/verify', { body: proof }))).data.status
}

/** Undoes a change of address, by the token of the mail to the former one. */
export async function undoAddress(token: string): Promise<void> {
  await got(signInApi.POST('/api/v1/auth/address/undo', { body: { token } }))
}

/** Fetches the options of a passkey request. During a session they list the user's passkeys, unless it signs in. */
async function passkeyOptions(query: { purpose?: 'sign_in' } = {}) {
  const { data } = await got(signInApi.POST('/api/v1/auth/passkey/options', { params: { query } }))
  return data as unknown as PublicKeyCredentialRequestOptionsJSON
}

/** Whether the user, who has yet to pass the second factor, has a passkey. */
export async function hasPasskey(): Promise<boolean> {
  return ((await passkeyOptions()).allowCredentials?.length ?? 0) > 0
}

const passkeyOf = async () => signByPasskey(await passkeyOptions())

/** Signs in by any passkey of the device, whatever session the browser has. */
export async function signInByPasskey(): Promise<SignInStatus> {
  const passkey = await signByPasskey(await passkeyOptions({ purpose: 'sign_in' }))
  return (await got(signInApi.POST('/api/v1/auth/passkey/verify', { body: { passkey } }))).data.status
}

export type Shown = 'passkey' | { totp: string } | { recovery_code: string }

export async function showFactor(shown: Shown): Promise<SignInStatus> {
  const body = shown === 'passkey' ? { passkey: await passkeyOf() } : shown
  return (await got(signInApi.POST('/api/v1/auth/second-factor', { body }))).data.status
}

export async function confirm(shown: 'passkey' | { totp: string } | { code: string }): Promise<void> {
  const body = shown === 'passkey' ? { passkey: await passkeyOf() } : shown
  await got(signInApi.POST('/api/v1/auth/confirm', { body }))
}

export async function sendConfirmationMail(): Promise<void> {
  await got(signInApi.POST('/api/v1/auth/confirm/email'))
}

/** Asks the service how far the sign-in of this browser is, and whose it is. */
export async function readProgress() {
  return (await got(signInApi.GET('/api/v1/auth/session'))).data
}

/** Reloaded only on request: recovery codes are on screen after the service counts the user as signed in. */
export const progressQuery = queryOptions({
  queryKey: ['auth', 'session'],
  queryFn: readProgress,
  gcTime: 0,
  ...onlyOnRequest,
})

/** Ends the session. Returns the identity provider's sign-out URL; null if it has none. */
export async function signOutHere(): Promise<string | null> {
  return (await got(signInApi.POST('/api/v1/auth/logout'))).data.redirect
}

/** Builds the URL that starts sign-in at the identity provider and returns to `returnTo` afterwards. */
export const providerAddress = (returnTo: string) =>
  `/api/v1/auth/oidc/start?return_to=${encodeURIComponent(returnTo)}`
