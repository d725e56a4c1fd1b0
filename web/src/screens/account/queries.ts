import { queryOptions } from '@tanstack/react-query'
import type { operations } from '../../api/api.generated.ts'
import { api, got, signInApi } from '../../api/client.ts'

export const devicesQuery = queryOptions({
  queryKey: ['me', 'sessions'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/me/sessions', { signal }))).data,
})

export const reportsQuery = queryOptions({
  queryKey: ['me', 'reports'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/me/reports', { signal }))).data,
})

/** Objects to what became of a report: somebody else than who decided reads it again. */
export const complainAboutReport = (id: string, text: string) =>
  got(api.POST('/api/v1/me/reports/{id}/complaint', { params: { path: { id } }, body: { text } }))

export async function signOutDevice(id: string): Promise<void> {
  await got(api.DELETE('/api/v1/me/sessions/{id}', { params: { path: { id } } }))
}

export async function signOutOthers() {
  return (await got(api.DELETE('/api/v1/me/sessions'))).data
}

type Profile = { langue: 'fr' | 'en' } | { nom: string | null } | { acceptance_mails: boolean }

export async function updateMe(body: Profile) {
  return (await got(api.PATCH('/api/v1/me', { body }))).data
}

export async function setDigest(daily: boolean) {
  return (await got(api.POST('/api/v1/me/digest', { body: { daily } }))).data
}

export async function askForAddress(email: string): Promise<void> {
  await got(api.POST('/api/v1/me/email', { body: { email } }))
}

/** Confirms the new address. Uses `signInApi`: a 401 means a wrong code, not an expired session. */
export async function takeAddress(code: string) {
  return (await got(signInApi.POST('/api/v1/me/email/verify', { body: { code } }))).data
}

export async function removeApp(): Promise<void> {
  await got(api.DELETE('/api/v1/me/totp'))
}

export async function removePasskey(id: string): Promise<void> {
  await got(api.DELETE('/api/v1/me/passkeys/{id}', { params: { path: { id } } }))
}

export const keysQuery = queryOptions({
  queryKey: ['me', 'keys'],
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/me/keys', { signal }))).data,
})

type NewKey = operations['makeKey']['requestBody']['content']['application/json']

export async function makeKey(body: NewKey) {
  return (await got(api.POST('/api/v1/me/keys', { body }))).data
}

/** Replaces a key; programs may use the former value for a day. */
export async function rotateKey(id: string) {
  return (await got(api.POST('/api/v1/me/keys/{id}/rotate', { params: { path: { id } } }))).data
}

export async function endKey(id: string): Promise<void> {
  await got(api.DELETE('/api/v1/me/keys/{id}', { params: { path: { id } } }))
}
