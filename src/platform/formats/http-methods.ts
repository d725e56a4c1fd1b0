/** Whether requests with this method only read. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Whether an operation creates something, by its method and the statuses of its responses. */
export const creates = (method: string, responses: object = {}): boolean =>
  method === 'POST' && ('201' in responses || '202' in responses)
