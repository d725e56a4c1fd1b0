import Type, { type Static } from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { ResponseTimestamp, titled } from '../../../platform/http/validation/schemas.ts'
import { endOfForce } from '../states.ts'
import { listSamples } from './queries.ts'
import type { Sample } from './sample.ts'

/** Longer between two samples in which an act was there is an interruption: a sample is taken every twelve hours. */
export const longestHours = 14

export const Presence = titled('ActPresence', {
  from: ResponseTimestamp('When the act was put on line'),
  until: ResponseTimestamp('Until when it must be there: now, the end of its two months, or its occultation'),
  samples: Type.Integer({ description: 'How often its file was asked for', examples: [120] }),
  missing: Type.Integer({ description: 'How often it did not come', examples: [0] }),
  interruptions: Type.Array(
    Type.Object({
      from: ResponseTimestamp('When it was last seen'),
      until: ResponseTimestamp('When it was seen again'),
    }),
    { description: `Times of more than ${longestHours} hours in which nothing shows that it was on line` },
  ),
})
export type Presence = Static<typeof Presence>

type Sealed = { published_at: Date; occulted_at: Date | null; seal: { number: number } }
type Numbered = Pick<Sealed, 'seal'>

/** True if the sample asked for the act. */
export const covers = (
  { since, through }: Sample,
  { published_at, seal }: Omit<Sealed, 'occulted_at'>,
): boolean => new Date(since) <= published_at && seal.number <= through

/** True if the act came when the sample asked for it. */
export const shows = ({ missing }: Sample, { seal }: Numbered): boolean =>
  !missing.some(([first, last]) => first <= seal.number && seal.number <= last)

/** Returns until when an act must be on line: for two months, or until a court had its file removed. */
export function endOfPresence({ published_at, occulted_at }: Omit<Sealed, 'seal'>): Date {
  const end = endOfForce(published_at)
  return occulted_at !== null && occulted_at < end ? occulted_at : end
}

/** Reads how long an act was on line without interruption, within the two months that the law wants. */
export async function readPresence(db: Database, act: Sealed, now: Date): Promise<Presence> {
  const from = act.published_at
  const end = endOfPresence(act)
  const until = now < end ? now : end
  const samples = (await listSamples(db, from, until)).filter((sample) => covers(sample, act))
  const seen = samples.filter((sample) => shows(sample, act)).map(({ at }) => new Date(at))
  return {
    ...{ from, until, samples: samples.length, missing: samples.length - seen.length },
    interruptions: interruptionsOf([from, ...seen, until]),
  }
}

function interruptionsOf(moments: readonly Date[]): { from: Date; until: Date }[] {
  const longestMs = longestHours * 3_600_000
  return moments.flatMap((until, at) => {
    const from = moments[at - 1]
    return from !== undefined && until.getTime() - from.getTime() > longestMs ? [{ from, until }] : []
  })
}
