import Type from 'typebox'
import { defineJob } from '../../../platform/jobs/job.ts'

/** Priority of the jobs of alertes: before reminders and weekly messages, which are due everywhere at the same time. */
export const alertesFirst = 1

export const expandBroadcast = defineJob(
  'subscribers.expand-broadcast',
  Type.Object({ broadcastId: Type.String() }),
  { retries: 20, backoffSeconds: 5, maxBackoffSeconds: 300, concurrency: 2 },
)
