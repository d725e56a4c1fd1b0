import createClient from 'openapi-fetch'

/** @type {typeof import('./index.d.ts').createParvis} */
export const createParvis = ({ baseUrl, source = 'public', key, fetch }) =>
  createClient({
    baseUrl,
    headers: { 'X-App-Source': source, ...(key && { Authorization: `Bearer ${key}` }) },
    querySerializer: { array: { style: 'form', explode: false } },
    ...(fetch && { fetch }),
  })
