import type { components } from '../../../api/api.generated.ts'

/** Formats the place of an event: its name, its address, its coordinates; empty without any. */
export function placeInWords(lieu: components['schemas']['Publication']['lieu']): string {
  if (lieu === null) return ''
  const { nom, adresse, latitude, longitude } = lieu
  const point = latitude === null || longitude === null ? null : `${latitude}, ${longitude}`
  return [nom, adresse, point].filter(Boolean).join(', ')
}
