import { setFlagsFromString } from 'node:v8'

// What is made while code is loaded is soon garbage, and the room that the heap takes for it is kept: 50 MB of a service
// that idles. It grows as usual once there are requests (`src/main.ts`).
setFlagsFromString('--semi-space-growth-factor=1')
