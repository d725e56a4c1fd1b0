import { expect, test } from 'vitest'
import { moderationStatuses } from '../schema.ts'
import { problemOf, type State, type Trigger, transition } from './states.ts'

const now = new Date('2026-11-20T08:30:00.000Z')
const past = new Date('2026-11-01T08:00:00.000Z')
const future = new Date('2026-12-01T08:00:00.000Z')
const later = new Date('2027-01-01T08:00:00.000Z')

const times = { none: null, past, future }
/** Every status, valid or not, with each kind of time, live and deleted. */
const states = moderationStatuses.flatMap((moderation_status) =>
  [true, false].flatMap((valide) =>
    Object.values(times).flatMap((publie_le) =>
      [null, past].map((deleted_at): State => {
        return { moderation_status, valide, publie_le, en_avant: true, featured_until: future, deleted_at }
      }),
    ),
  ),
)

type Change = Partial<State>
/** The change each trigger makes, by stored time. A string: refused. */
const table: [Trigger, Record<keyof typeof times, Change | 'time_passed'>][] = [
  [
    { do: 'moderate', moderation_status: 'published' },
    {
      none: { moderation_status: 'published', valide: true, publie_le: now },
      past: { moderation_status: 'published', valide: true },
      future: { moderation_status: 'published', valide: true },
    },
  ],
  [
    { do: 'moderate', moderation_status: 'approved' },
    always({ moderation_status: 'approved', valide: true }),
  ],
  [
    { do: 'moderate', moderation_status: 'approved', publie_le: later },
    {
      none: { moderation_status: 'approved', valide: true, publie_le: later },
      past: 'time_passed',
      future: { moderation_status: 'approved', valide: true, publie_le: later },
    },
  ],
  [
    { do: 'moderate', moderation_status: 'approved', publie_le: null },
    {
      none: { moderation_status: 'approved', valide: true },
      past: 'time_passed',
      future: { moderation_status: 'approved', valide: true, publie_le: null },
    },
  ],
  [
    { do: 'moderate', moderation_status: 'rejected' },
    always({ moderation_status: 'rejected', valide: false }),
  ],
  [{ do: 'moderate', moderation_status: 'pending' }, always({ moderation_status: 'pending', valide: false })],
  [
    { do: 'valide', valide: true },
    {
      none: { moderation_status: 'published', valide: true, publie_le: now },
      past: { moderation_status: 'published', valide: true },
      future: { moderation_status: 'published', valide: true },
    },
  ],
  [{ do: 'valide', valide: false }, always({ valide: false })],
  [{ do: 'feature', en_avant: true }, always({ en_avant: true, featured_until: null })],
  [
    { do: 'feature', en_avant: true, featured_until: later },
    always({ en_avant: true, featured_until: later }),
  ],
  [
    { do: 'feature', en_avant: false, featured_until: later },
    always({ en_avant: false, featured_until: null }),
  ],
]

function always(change: Change) {
  return { none: change, past: change, future: change }
}

const told = ({ moderation_status, valide, publie_le, deleted_at }: State) =>
  `${moderation_status} ${valide ? '' : 'in'}valid ${timeOf(publie_le)}${deleted_at ? ' deleted' : ''}`
const timeOf = (time: Date | null) => (time === null ? 'none' : time > now ? 'future' : 'past')

for (const state of states) {
  test.each(table)(`${told(state)}: %j`, (trigger, byTime) => {
    const expected = byTime[timeOf(state.publie_le)]
    if (state.deleted_at !== null) expect(transition(state, trigger, now)).toEqual({ refused: 'deleted' })
    else if (typeof expected === 'string')
      expect(transition(state, trigger, now)).toEqual({ refused: expected })
    else expect(transition(state, trigger, now)).toEqual({ next: { ...state, ...expected } })
  })

  test(`${told(state)}: toggle, delete, restore`, () => {
    const toggled = transition(state, { do: 'valide' }, now)
    expect(toggled).toEqual(transition(state, { do: 'valide', valide: !state.valide }, now))
    const deleted = { ...state, deleted_at: state.deleted_at ?? now }
    expect(transition(state, { do: 'delete' }, now)).toEqual({ next: deleted })
    expect(transition(state, { do: 'restore' }, now)).toEqual({ next: { ...state, deleted_at: null } })
  })
}

test.each<[Trigger, string | null]>([
  [{ do: 'moderate', moderation_status: 'published' }, null],
  [{ do: 'moderate', moderation_status: 'approved', publie_le: later }, null],
  [{ do: 'moderate', moderation_status: 'approved', publie_le: null }, null],
  [{ do: 'moderate', moderation_status: 'approved', publie_le: past }, 'publie_le'],
  [{ do: 'moderate', moderation_status: 'approved', publie_le: now }, 'publie_le'],
  [{ do: 'moderate', moderation_status: 'approved', publie_le: new Date('never') }, 'publie_le'],
  [{ do: 'moderate', moderation_status: 'published', publie_le: later }, 'publie_le'],
  [{ do: 'moderate', moderation_status: 'rejected', publie_le: null }, 'publie_le'],
  [{ do: 'feature', en_avant: true, featured_until: past }, 'featured_until'],
  [{ do: 'feature', en_avant: true, featured_until: now }, 'featured_until'],
  [{ do: 'feature', en_avant: true, featured_until: later }, null],
  [{ do: 'feature', en_avant: false, featured_until: past }, null],
])('wrong whatever the state: %j, %s', (trigger, field) => {
  expect(problemOf(trigger, now)?.field ?? null).toBe(field)
})
