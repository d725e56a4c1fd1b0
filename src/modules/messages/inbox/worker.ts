import { handleRequests } from '../../../platform/thread.ts'
import { type Body, readBody } from './body.ts'

handleRequests<Uint8Array, Body>(readBody, () => null)
