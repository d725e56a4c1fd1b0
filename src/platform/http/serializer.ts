import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'
import { textOf } from './listing/serialized-once.ts'

/** Compiles a response schema at its first use, because compiling all of them delays the start. */
export const serializerCompiler: FastifySerializerCompiler<unknown> = (route) => {
  let serialize: ReturnType<typeof makeSerializer> | undefined
  return (data) => {
    serialize ??= sharedSerializer(route)
    return textOf(data, serialize)
  }
}

/** Returns one serializer for equal schemas: the refusals of all routes have few shapes. */
function sharedSerializer({ httpStatus = '', ...route }: Parameters<typeof serializerCompiler>[0]) {
  const shape = JSON.stringify(route.schema)
  const serialize = serializers.get(shape) ?? makeSerializer({ ...route, httpStatus })
  serializers.set(shape, serialize)
  return serialize
}

const makeSerializer = SerializerSelector()({}, {})
const serializers = new Map<string, ReturnType<typeof makeSerializer>>()
