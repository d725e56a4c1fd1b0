/** Records whose pages of the public site are counted. */
export const countedKinds = ['acteur', 'commune', 'group', 'page', 'publication'] as const
export type CountedKind = (typeof countedKinds)[number]
