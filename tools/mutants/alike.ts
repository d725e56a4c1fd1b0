import type { Mutant } from './mutations.ts'

type Named = { file: string; code: string; was: string; is: string; why: string }

/** Mutations without effect, or invisible to any test, each with its reason. The line is identified by its text. */
export const alike: Named[] = [
  {
    file: 'src/platform/http/rate-limits/rate-limits.ts',
    code: 'const left = (ends.get(key) ?? 0) - Date.now()',
    was: '0',
    is: '1',
    why: 'Both are long ago.',
  },
  {
    file: 'src/platform/http/rate-limits/rate-limits.ts',
    code: 'if (left <= 0) ends.delete(key)',
    was: '0',
    is: '1',
    why: 'What has less than a millisecond left is over when it is looked at again.',
  },
  {
    file: 'src/platform/http/rate-limits/rate-limits.ts',
    code: 'if (left <= 0) ends.delete(key)',
    was: '<=',
    is: '<',
    why: 'It only frees memory: what is over has nothing left either way.',
  },
  {
    file: 'src/modules/publications/writing/rules.ts',
    code: 'const acteur = before.acteur_id === null ? null : ((await findActeur(tx, before.acteur_id)) ?? null)',
    was: '(await findActeur(tx, before.acteur_id)) ?? null',
    is: '(await findActeur(tx, before.acteur_id))',
    why: 'The constraint publications_acteur has an acteur there as long as one is named.',
  },
  {
    file: 'src/platform/http/rate-limits/counters.ts',
    code: 'if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext)',
    was: '1',
    is: '2',
    why: 'It is told in whole seconds, rounded up.',
  },
  {
    file: 'src/platform/http/rate-limits/addresses.ts',
    code: "const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')",
    was: '0',
    is: '1',
    why: 'Only of an address without `::`, whose eight groups stand before: the ninth is cut off.',
  },
  {
    file: 'src/modules/payments/effects/rules.ts',
    code: 'return status === null || place === null ? null : { status, place }',
    was: '||',
    is: '&&',
    why: 'The constraint subscriptions_status_from has both or neither.',
  },
  {
    file: 'src/modules/retention/rules.ts',
    code: 'sweepAll(() => sweep(tx, months[name] ?? usual, sizes.batch), sizes, signal),',
    was: 'months[name] ?? usual',
    is: 'months[name]',
    why: 'The settings have the months of every part.',
  },
  {
    file: 'src/modules/mail-delivery/mail.ts',
    code: 'const labelOf = (kind: string, kinds: Named[]) => kinds.find(({ name }) => name === kind)?.label ?? kind',
    was: 'kinds.find(({ name }) => name === kind)?.label ?? kind',
    is: 'kinds.find(({ name }) => name === kind)?.label',
    why: 'Only these kinds are counted.',
  },
  {
    file: 'src/modules/publications/writing/attachment.ts',
    code: "const first = typeof commune_id === 'string' || commune_ids.includes(usual ?? '') ? usual : head",
    was: "usual ?? ''",
    is: 'usual',
    why: 'The list holds ids: neither is in it.',
  },
  {
    file: 'src/modules/publications/writing/duplicates.ts',
    code: 'kept.sort(([name], [other]) => (name < other ? -1 : Number(name > other)))',
    was: '1',
    is: '2',
    why: 'Only the sign of what a comparison answers counts.',
  },
  {
    file: 'src/modules/publications/writing/duplicates.ts',
    code: 'kept.sort(([name], [other]) => (name < other ? -1 : Number(name > other)))',
    was: '>',
    is: '>=',
    why: 'The engine asks only whether one goes before the other: equal ones stay as they are.',
  },
  {
    file: 'src/modules/publications/writing/rules.ts',
    code: 'const acteur = before.acteur_id === null ? null : ((await findActeur(tx, before.acteur_id)) ?? null)',
    was: 'before.acteur_id === null ? null : ((await findActeur(tx, before.acteur_id)) ?? ',
    is: '((await findActeur(tx, before.acteur_id)) ?? null)',
    why: 'In SQL nothing equals null: nobody is found, by one statement more.',
  },
  {
    file: 'src/modules/retention/rules.ts',
    code: 'const rows = await sweepAll(() => sweep(sweeping, months[name] ?? usual, sizes.batch), sizes, signal)',
    was: 'months[name] ?? usual',
    is: 'months[name]',
    why: 'The settings have the months of every part.',
  },
  {
    file: 'src/modules/users/rules.ts',
    code: '.sort((a, b) => (a.acteur_id < b.acteur_id ? -1 : 1))',
    was: '<',
    is: '<=',
    why: 'No acteur stands there twice: that is refused before.',
  },
  {
    file: 'src/modules/users/rules.ts',
    code: '.sort((a, b) => (a.acteur_id < b.acteur_id ? -1 : 1))',
    was: '1',
    is: '2',
    why: 'Only the sign of what a comparison answers counts.',
  },
  {
    file: 'src/platform/http/rate-limits/addresses.ts',
    code: "return withoutPort.split('%', 1)[0] ?? ''",
    was: "withoutPort.split('%', 1)[0] ?? ''",
    is: "withoutPort.split('%', 1)[0]",
    why: 'Whatever is split has a first part.',
  },
  {
    file: 'src/platform/http/rate-limits/addresses.ts',
    code: "return withoutPort.split('%', 1)[0] ?? ''",
    was: '1',
    is: '2',
    why: 'Of the parts only the first is read.',
  },
  {
    file: 'src/platform/http/rate-limits/failures.ts',
    code: "if (limit === 'off') return () => {}",
    was: "if (limit === 'off') return () => {}",
    is: '(nothing)',
    why: 'It would count from no number at all, and never come to 0.',
  },
  {
    file: 'src/platform/http/rate-limits/forwarding.ts',
    code: "if (warned || !request.headers['x-forwarded-for'] || (request.ips?.length ?? 0) > 1) return",
    was: 'request.ips?.length ?? 0',
    is: 'request.ips?.length',
    why: 'Neither 0 nor undefined is more than 1.',
  },
  {
    file: 'src/platform/http/rate-limits/forwarding.ts',
    code: "if (warned || !request.headers['x-forwarded-for'] || (request.ips?.length ?? 0) > 1) return",
    was: '0',
    is: '1',
    why: 'Neither is more than 1.',
  },
  {
    file: 'src/platform/http/rate-limits/rate-limits.ts',
    code: 'const blocks = expiringSet(10_000)',
    was: '10_000',
    is: '10001',
    why: 'How many are remembered is a choice: who is forgotten is counted again, and refused all the same.',
  },
  {
    file: 'src/platform/access/users.ts',
    code: '.limit(1)',
    was: '1',
    is: '2',
    why: 'Only whether there is one is asked.',
  },
  {
    file: 'src/modules/payments/effects/rules.ts',
    code: 'at === null || rank === null || by === null ? null : { at, rank, by }',
    was: '||',
    is: '&&',
    why: 'The constraints subscriptions_status_from and subscriptions_checkout_from have all three there, or none.',
  },
  {
    file: 'src/modules/payments/inbox/signature.ts',
    code: "if (signature === null) throw new Error('the package checks no signatures')",
    was: "if (signature === null) throw new Error('the package checks no signatures')",
    is: '(nothing)',
    why: 'The package has it always, though its types do not say so.',
  },
  {
    file: 'src/platform/jobs/workers.ts',
    code: 'for (const id of ids.get(queue) ?? []) boss.notifyWorker(id)',
    was: 'ids.get(queue) ?? []',
    is: 'ids.get(queue)',
    why: 'A service that puts a job in line has workers for it.',
  },
  {
    file: 'src/modules/users/lapse/rules.ts',
    code: 'lastId = found.at(-1) ?? lastId',
    was: '1',
    is: '2',
    why: 'What has lapsed is not found again, wherever the search goes on from.',
  },
  {
    file: 'src/modules/publications/reports/rules.ts',
    code: 'const content = { category: category ?? null, reason: reason ?? null, message: message ?? null }',
    was: 'category ?? null',
    is: 'category',
    why: 'What is absent is null in the table, and neither is in the audit log.',
  },
  {
    file: 'src/modules/payments/effects/rules.ts',
    code: 'cancel_at_period_end: fields.cancel_at_period_end ?? false,',
    was: 'false',
    is: 'true',
    why: 'Of each subscription it is kept, as true or false.',
  },
]

type Kind = { is: (mutant: Mutant) => boolean; why: string }

const kinds: Kind[] = [
  {
    is: ({ code, was }) => /^ ?[<>]=? ?$/.test(was) && /\b(?:now|statement_timestamp)\(\)/.test(code),
    why: 'The database counts time in microseconds: nothing is dated at the very moment of a question.',
  },
  {
    is: ({ code, was }) =>
      isNumber(was) &&
      (new RegExp(
        `\\b(?:retries|concurrency|batch(?:es)?|atOnce|\\w*Seconds|\\w*Duration|\\w*Ms): ${was}\\b`,
      ).test(code) ||
        new RegExp(`(?:Ms|[Bb]atch|[aA]tOnce|\\blimit|maxAddresses) = ${was}\\b`).test(code) ||
        code.includes(`sleep(${was}`)),
    why: 'How long is waited, how often tried and how much done at a time is a choice: one more is as good.',
  },
  {
    is: ({ code, was }) => isNumber(was) && code.includes(`examples: [${was}]`),
    why: 'An example of the documentation is as good as another.',
  },
  {
    is: ({ file, was }) => file.endsWith('retention.ts') && was.startsWith('for '),
    why: 'Of two who take away the same old rows one would wait for the other, and find nothing left.',
  },
]

const isNumber = (was: string) => /^[\d_]+$/.test(was)

export function isNamed(mutant: Mutant): boolean {
  const { file, code, was, is } = mutant
  return (
    kinds.some((kind) => kind.is(mutant)) ||
    alike.some((one) => one.file === file && one.code === code && one.was === was && one.is === is)
  )
}
