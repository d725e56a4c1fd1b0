import { pressEveryControl } from './presses.ts'

pressEveryControl('record')
