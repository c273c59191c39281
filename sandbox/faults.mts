// Injects faults into requests, so that people can rehearse how their workflows cope.
import type { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Accounts } from './accounts.mts';
import { faultsByKind, wait, type FaultKind, type FaultRule, type Strike } from './faultKinds.mts';
import { seededRandom, type Random } from './random.mts';

export type { FaultKind, FaultRule };

const signIns = ['authorize', 'passwordToken', 'codeToken', 'identityToken'];

const fits = ({ operation }: FaultRule, requested: string): boolean =>
	operation ? operation === requested : !signIns.includes(requested);

export class Faults {
	/** The number of strikes of each fault. */
	readonly struck: Partial<Record<FaultKind, number>> = {};

	private plan: FaultRule[] = [];
	private strikesLeft = new Map<FaultRule, number>();
	private readonly strikes = new WeakMap<FastifyRequest, Strike>();
	private readonly random: Random;

	private readonly accounts: Accounts;

	/** @param seed of the random numbers that decide whether a fault strikes */
	constructor(plan: FaultRule[], seed: number, accounts: Accounts) {
		this.accounts = accounts;
		this.random = seededRandom(seed);
		this.set(plan);
	}

	/** A rule taken over from the current plan keeps its count of strikes. */
	set(plan: FaultRule[]): void {
		this.plan = plan;
		const left = (rule: FaultRule) => this.strikesLeft.get(rule) ?? rule.times ?? Infinity;
		this.strikesLeft = new Map(plan.map((rule) => [rule, left(rule)]));
	}

	get rules(): readonly FaultRule[] {
		return this.plan;
	}

	private dueRule(operation: string): FaultRule | undefined {
		return this.plan.find(
			(rule) =>
				fits(rule, operation) &&
				this.strikesLeft.get(rule)! > 0 &&
				this.random() < (rule.probability ?? 1),
		);
	}

	/** The fault that struck a request. */
	struckBy(request: FastifyRequest): FaultKind | undefined {
		return this.strikes.get(request)?.rule.fault;
	}

	/** Called once a request is admitted, before its body is read: decides whether a fault strikes it. */
	async beforeReading(
		request: FastifyRequest,
		reply: FastifyReply,
		operation: string,
		body: Readable,
	): Promise<void> {
		const rule = this.dueRule(operation);
		if (!rule) return;
		this.strikesLeft.set(rule, this.strikesLeft.get(rule)! - 1);
		this.struck[rule.fault] = (this.struck[rule.fault] ?? 0) + 1;
		const strike = { rule, accounts: this.accounts, request, reply };
		this.strikes.set(request, strike);
		if (rule.spread) await wait(rule.spread * this.random());
		await faultsByKind[rule.fault].beforeReading?.(strike, body);
	}

	/** Called once a request is read and valid. */
	async beforeHandling(request: FastifyRequest): Promise<void> {
		const strike = this.strikes.get(request);
		if (strike) await faultsByKind[strike.rule.fault].beforeHandling?.(strike);
	}

	/** Called with the body of every response; returns the body that the service sends. */
	beforeSending(request: FastifyRequest, response: string): string {
		const strike = this.strikes.get(request);
		return (
			(strike && faultsByKind[strike.rule.fault].beforeSending?.(strike, response)) ?? response
		);
	}

	/** Called with the body that the service sends; returns what the client receives. */
	whileSending(request: FastifyRequest, response: string): string | Readable {
		const strike = this.strikes.get(request);
		return (strike && faultsByKind[strike.rule.fault].whileSending?.(strike, response)) ?? response;
	}
}
