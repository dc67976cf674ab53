%% RabbitMQ's own conversion code with a clock: the opponent of mqconvert in benchmarks/race.py.
%%
%% A line in:   REPEATS SOURCE TARGET MESSAGE...     a message is written as for oracle.erl, its words joined by "+"
%% A line out:  microseconds of processor time for all repeats of all messages, from wire bytes to wire bytes; or "failed"
-module(race).

-export([start/0]).

start() ->
    oracle:limits(),
    read(open_port({fd, 0, 1}, [binary, eof]), []).

read(Port, Before) ->
    receive
        {Port, {data, Bytes}} ->
            case binary:last(Bytes) of
                $\n ->
                    Lines = binary:split(iolist_to_binary(lists:reverse(Before, [Bytes])), <<"\n">>, [global, trim]),
                    true = port_command(Port, [[answer(Line), $\n] || Line <- Lines]),
                    read(Port, []);
                _ ->
                    read(Port, [Bytes | Before])
            end;
        {Port, eof} ->
            halt(0, [{flush, true}])
    end.

answer(Line) ->
    [Repeats, Source, Target | Words] = binary:split(Line, <<" ">>, [global]),
    From = oracle:module(Source),
    To = oracle:module(Target),
    Messages = [[oracle:bytes(Part) || Part <- binary:split(Word, <<"+">>)] || Word <- Words],
    %% In a separate process, so that each measurement starts with a fresh heap.
    {_, Monitor} = spawn_monitor(fun() -> exit(measured(binary_to_integer(Repeats), From, To, Messages)) end),
    receive
        {'DOWN', Monitor, process, _, Answer} -> Answer
    end.

measured(Repeats, From, To, Messages) ->
    {Before, _} = erlang:statistics(runtime),
    try repeat(Repeats, From, To, Messages) of
        ok ->
            {After, _} = erlang:statistics(runtime),
            integer_to_binary(1000 * (After - Before))
    catch
        _:_ -> <<"failed">>
    end.

repeat(0, _, _, _) ->
    ok;
repeat(Repeats, From, To, Messages) ->
    each(From, To, Messages),
    repeat(Repeats - 1, From, To, Messages).

each(_, _, []) ->
    ok;
each(From, To, [Input | Messages]) ->
    Environment = #{mqtt_x => <<"amq.topic">>},
    Message = mc:init(From, oracle:decode(From, Input), #{}, Environment),
    oracle:encode(To, element(3, mc:convert(To, Message, Environment))),
    each(From, To, Messages).
