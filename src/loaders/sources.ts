import { addresses } from './addresses/source.ts'
import { communes } from './communes/source.ts'
import { defibrillateurs } from './defibrillateurs/source.ts'
import { elus } from './elus/source.ts'
import { groups } from './groups/source.ts'
import { mairies } from './mairies/source.ts'
import type { PublicSource } from './public-source.ts'

/** All public sources, in the order in which they depend on each other. */
export const sources: readonly PublicSource[] = [communes, groups, elus, mairies, defibrillateurs, addresses]
