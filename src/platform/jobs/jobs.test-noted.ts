import Type from 'typebox'
import { defineJob } from './job.ts'

/** A job shared by the test and its worker processes. It records its runs in the table "runs". */
export const noted = defineJob('test.noted', Type.Object({ takesMs: Type.Integer() }), { concurrency: 3 })
