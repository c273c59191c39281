// Writes responses as openapi.yaml describes them.
import fastJsonStringify, { type Schema } from 'fast-json-stringify';

/** By what they write, so that the sandboxes of a process compile each once. */
const serializers = new Map<string, (data: unknown) => string>();

export function serializerOf(schema: Schema): (data: unknown) => string {
	const key = JSON.stringify(schema);
	const serializer = serializers.get(key) ?? fastJsonStringify(schema);
	serializers.set(key, serializer);
	return serializer;
}
