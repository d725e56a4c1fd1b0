import { setFlagsFromString } from 'node:v8'

// Code loading produces garbage, and the heap keeps the space it grew to: 50 MB of an idle service. `src/main.ts`
// restores normal growth.
setFlagsFromString('--semi-space-growth-factor=1')
