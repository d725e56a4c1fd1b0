import { readFileSync } from 'node:fs'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/schema'
import { must, type Parse } from '../../platform/config/settings.ts'
import { strictObject } from '../../platform/http/validation/schemas.ts'
import { isStorableName } from './kinds.ts'

/** Plan by price: by the lookup key of the price, or else its id. */
export type Plans = ReadonlyMap<string, Plan>

const Plan = strictObject({
  plan: Type.String({ pattern: '^[a-z0-9_-]{1,50}$' }),
  label: Type.String({ minLength: 1, maxLength: 100 }),
})
type Plan = Static<typeof Plan>

const PlansFile = Type.Record(Type.String({ minLength: 1, maxLength: 255 }), Plan)

/** Reads the plans file, once at start. */
export const plansFile: Parse<Plans> = (file) => {
  const prices = readPrices(file)
  const plans = new Map(Object.entries(prices))
  for (const price of plans.keys())
    if (!isStorableName(price))
      throw new Error(
        `names a file with the price ${JSON.stringify(price)}, which is never stored: use its id, or another lookup key`,
      )
  const labels = new Map<string, string>()
  for (const { plan, label } of plans.values()) {
    if ((labels.get(plan) ?? label) !== label) throw new Error(`names a file that gives ${plan} two labels`)
    labels.set(plan, label)
  }
  return plans
}

function readPrices(file: string): Static<typeof PlansFile> {
  const prices: unknown = readJson(file)
  if (Check(PlansFile, prices)) return prices
  throw must('a JSON file such as {"commerce_mensuel": {"plan": "commerce", "label": "Commerce"}}')
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw must('a file that this user may read')
  }
}

/** Returns the plan of a price. A price without a configured plan is its own plan. */
export function planOf(plans: Plans, price: string): Plan
export function planOf(plans: Plans, price: string | null): Plan | { plan: null; label: null }
export function planOf(plans: Plans, price: string | null) {
  if (price === null) return { plan: null, label: null }
  return plans.get(price) ?? { plan: price, label: price }
}

/** Returns the prices that belong to one of these plans. */
export function pricesOf(plans: Plans, wanted: readonly string[]): string[] {
  const named = [...plans].filter(([, { plan }]) => wanted.includes(plan)).map(([price]) => price)
  return [...named, ...wanted.filter((plan) => !plans.has(plan))]
}
