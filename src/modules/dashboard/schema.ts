import Type, { type Static } from 'typebox'

const figure = (description: string, example: number) =>
  Type.Optional(Type.Integer({ description, examples: [example] }))

/** Flat, without `data`. What cannot be counted, or not in time, is left out. */
export const Dashboard = Type.Object(
  {
    publications: figure('Not deleted', 1_204),
    publications_pending: figure('Of those, pending', 12),
    publications_reported: figure('Of those, with an open report of a reader', 3),
    acteurs: figure('Not deleted', 312),
    users: figure('Active', 458),
  },
  { title: 'Dashboard' },
)
export type Dashboard = Static<typeof Dashboard>
