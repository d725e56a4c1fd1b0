import Type from 'typebox'
import { defineJob } from './job.ts'

/** What the processes of a test and the test itself both know: a job that notes in the table "runs" what it did. */
export const noted = defineJob('test.noted', Type.Object({ takesMs: Type.Integer() }), { concurrency: 3 })
