import { expect, test } from 'vitest'
import { sharedBuffers } from './settings.ts'

const GB = 1_024 ** 3

test.each([
  [1 * GB, 0, '128MB'],
  [4 * GB, 0, '256MB'],
  [64 * GB, 0, '1024MB'],
  [64 * GB, 8 * GB, '512MB'],
  // The value in a container without a limit.
  [4 * GB, 2 ** 63, '256MB'],
])(
  'with %d bytes of memory, of which %d may be used, PostgreSQL gets %s of shared buffers',
  (total, constrained, expected) => {
    expect(sharedBuffers(total, constrained)).toBe(expected)
  },
)
