import { createSlots } from '../../../platform/slots.ts'

/** Slots of the threads that read documents, shared by imports and inspections: each may use much memory. */
export const readerSlots = createSlots(3)
