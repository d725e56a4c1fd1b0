import type { Infos } from './schema.ts'

/** Gaps of a commune, by their bit in `commune_gaps.gaps`. */
export const gapNames = ['elus', 'collectes', 'infos', 'mairie'] as const
export type Gap = (typeof gapNames)[number]

/** Every value of `commune_gaps.gaps`. */
const allMasks = Array.from({ length: 2 ** gapNames.length }, (_, mask) => mask)

export const gapsOfMask = (mask: number): Gap[] => gapNames.filter((_, bit) => (mask & (1 << bit)) !== 0)

/** Returns the values of `commune_gaps.gaps` with at least one of these gaps. */
export const masksWith = (asked: readonly Gap[]): number[] =>
  allMasks.filter((mask) => gapsOfMask(mask).some((gap) => asked.includes(gap)))

type Content = { elus: unknown[]; collectes: unknown[]; infos: Infos; hasMairie: boolean }

/** Returns what a commune lacks, as the triggers of `commune_gaps` do. A hidden mairie counts as missing. */
export function gapsOf({ elus, collectes, infos, hasMairie }: Content): Gap[] {
  const { adresse, telephone, email, site_web } = infos
  const lacks: Record<Gap, boolean> = {
    elus: elus.length === 0,
    collectes: collectes.length === 0,
    infos: [adresse, telephone, email, site_web].includes(null),
    mairie: !hasMairie,
  }
  return gapNames.filter((gap) => lacks[gap])
}
