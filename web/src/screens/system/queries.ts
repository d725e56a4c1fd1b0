import { queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'

export type System = components['schemas']['System']
export type TestMail = components['schemas']['TestMail']

export const systemQuery = (language: string) =>
  queryOptions({
    queryKey: ['system', language],
    queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/system', { signal }))).data,
  })

export async function sendTestMail(): Promise<TestMail> {
  return (await got(api.POST('/api/v1/admin/system/test-mail'))).data
}
