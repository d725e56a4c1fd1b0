import Type from 'typebox'
import { defineJob } from '../../../platform/jobs/job.ts'

export const expandBroadcast = defineJob(
  'subscribers.expand-broadcast',
  Type.Object({ broadcastId: Type.String() }),
  { retries: 20, backoffSeconds: 5, maxBackoffSeconds: 300, concurrency: 2 },
)
