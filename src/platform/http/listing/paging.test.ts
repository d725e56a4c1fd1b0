import { expect, test } from 'vitest'
import { adminPerPage, page, pagingOf, publicPerPage } from './paging.ts'

test.each([
  [publicPerPage, { page: 1, perPage: 15, limit: 15, offset: 0, isCounted: true }],
  [adminPerPage, { page: 1, perPage: 25, limit: 25, offset: 0, isCounted: true }],
])('without parameters returns the first page of %j', (fallback, expected) => {
  expect(pagingOf({}, fallback)).toEqual(expected)
})

test.each([
  [
    { page: 3, per_page: 10 },
    { page: 3, perPage: 10, limit: 10, offset: 20 },
  ],
  [{ per_page: 1 }, { page: 1, perPage: 1, limit: 1, offset: 0 }],
  [
    { page: 2, per_page: 100 },
    { page: 2, perPage: 100, limit: 100, offset: 100 },
  ],
  [
    { page: 2, per_page: 101 },
    { page: 2, perPage: 100, limit: 100, offset: 100 },
  ],
])('accepts %j and cuts per_page at a hundred', (query, expected) => {
  expect(pagingOf(query, publicPerPage)).toMatchObject(expected)
})

test('the offset of the last possible page is a number PostgreSQL can read', () => {
  const { offset } = pagingOf({ page: Number.MAX_SAFE_INTEGER, per_page: 100 }, publicPerPage)
  expect(offset).toBe(Number.MAX_SAFE_INTEGER)
})

test.each([
  [0, 1],
  [1, 1],
  [15, 1],
  [16, 2],
  [30, 2],
])('%j records end on page %j', (total, last_page) => {
  const paging = pagingOf({ page: 4 }, publicPerPage)
  expect(page(['one'], { total: total }, paging)).toEqual({
    data: ['one'],
    meta: { current_page: 4, last_page, per_page: 15, total },
  })
})
