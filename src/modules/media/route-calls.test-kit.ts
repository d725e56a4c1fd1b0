import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { formOf, png } from './media.test-kit.ts'

export function routeCalls({ author, club, noted, personal, secret }: Stage): RouteCalls {
  const form = async () => formOf(await png(), { acteur_id: club.id, alt: secret, nom: secret })
  const send = async () => (await author.client.post('/media', await form())).body.data.id as string
  const audited = {
    ...{ id: expect.any(String), kind: 'image', acteur_id: club.id, created_by: author.id },
    ...{ sha256: expect.any(String), alt: personal, decorative: false, nom: personal },
    ...{ width: 40, height: 30, bytes: expect.any(Number) },
  }
  return {
    'POST /media': async () => ({
      by: author,
      path: '/media',
      body: await form(),
      rows: [{ ...noted('media.create', null, audited), entity: 'media' }],
    }),
    'GET /media': async () => ({ by: author, path: `/media?acteur_id=${club.id}` }),
    'GET /media/{id}': async () => ({ by: author, path: `/media/${await send()}` }),
    'GET /media/{id}/{file}': async () => ({ by: author, path: `/media/${await send()}/400.webp` }),
    'PATCH /media/{id}': async () => ({
      by: author,
      path: `/media/${await send()}`,
      body: { alt: `${secret} sous les platanes` },
      rows: [{ ...noted('media.update', { alt: personal }, { alt: personal }), entity: 'media' }],
    }),
    'DELETE /media/{id}': async () => ({
      by: author,
      path: `/media/${await send()}`,
      rows: [{ ...noted('media.delete', audited, null), entity: 'media' }],
    }),
  }
}
