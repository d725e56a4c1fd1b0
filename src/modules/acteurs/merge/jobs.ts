import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { enqueueLost } from '../../../platform/jobs/rows.ts'
import type { Deps } from '../../../platform/module.ts'
import { moveAll } from './moving.ts'
import { listMerging } from './queries.ts'

const text = Type.Union([Type.String(), Type.Null()])

/** Points everything that refers to a merged acteur to its target. */
export const mergeJob = defineJob(
  'acteurs.merge',
  Type.Object({ acteurId: Type.String(), userId: text, source: text, requestId: text }),
  { retries: 8, backoffSeconds: 5, timeoutSeconds: 3_600 },
)

type Tools = Pick<Deps, 'db' | 'config' | 'jobs' | 'modules' | 'log'>

export function mergeHandler(tools: Tools): Handler {
  return handle(mergeJob, async ({ acteurId, userId, source, requestId }, { signal }) => {
    const author = {
      user: userId === null ? null : { id: userId },
      source: source === null ? null : { code: source },
    }
    const rows = await moveAll(tools, { id: acteurId, author: { ...author, requestId } }, signal)
    tools.log.info({ acteur_id: acteurId, rows }, 'acteur merged')
  })
}

const resume = defineJob('acteurs.resume-merges', Type.Object({}))
const most = 100

/** Resumes merges whose job was lost or gave up. */
export function resumeMergesHandler({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Handler {
  return handle(resume, async () => {
    const author = { userId: null, source: null, requestId: null }
    await enqueueLost({ db, jobs }, mergeJob, await listMerging(db, most), (acteurId) => ({
      acteurId,
      ...author,
    }))
  })
}

export const resumeMergesSchedule: Schedule = schedule(resume, '37 * * * *', {})
