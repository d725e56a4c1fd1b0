/** Why a decision takes something: the reason, and the code of the ground. */
export type Why = { reason?: string; ground?: string }

/** Returns what a dialog asked, once its text is loaded. */
export async function whyOf(reason: string | Promise<string>, ground?: string): Promise<Why> {
  const text = await reason
  return { ...(text && { reason: text }), ...(ground && { ground }) }
}
