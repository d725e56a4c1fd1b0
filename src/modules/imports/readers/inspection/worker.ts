import { workerData } from 'node:worker_threads'
import { handleRequests } from '../../../../platform/thread.ts'
import { ReadFailed } from '../read-failed.ts'
import { type InspectInput, type Inspection, inspect } from './inspect.ts'

/** Runs in its own thread, which ends after one response. */
handleRequests<'inspect', Inspection>(
  () => inspect(workerData as InspectInput),
  (error) => (error instanceof ReadFailed ? error.message : null),
)
