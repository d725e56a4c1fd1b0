import { handleRequests } from '../../../platform/thread.ts'
import { ReadFailed } from '../../imports/readers/read-failed.ts'
import { type ReadFile, readFile } from './read-file.ts'

handleRequests<{ bytes: Uint8Array; today: string }, ReadFile>(
  ({ bytes, today }) => readFile(bytes, today),
  (error) => (error instanceof ReadFailed ? error.message : null),
)
