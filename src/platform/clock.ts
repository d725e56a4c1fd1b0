/** What time it is: an argument wherever it matters, so that a test can choose. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
