import { pressEveryControl } from './presses.ts'

pressEveryControl('list')
